// The scrubber: a slider over the frames of a figure, and a button that plays them.
import type { Frames } from "../types.ts";
import { fresh, html } from "./dom.ts";
import { minus } from "./format.ts";

export function scrubber(frames: Frames, show: (frame: number) => void): HTMLElement {
  const last = frames.values.length - 1;
  const start = Math.max(0, Math.min(last, frames.start ?? last));
  const id = fresh("scrub");
  const slider = html("input", { type: "range", id, min: 0, max: last, step: 1, value: start });
  const value = html("output", { for: id });
  const note = html("p", { class: "frame-note", "aria-live": "polite" });
  let row = frames.second?.start ?? 0;
  const go = (frame: number): void => {
    const at = row * frames.values.length + frame;
    slider.value = String(frame);
    value.textContent = frames.values[frame] ?? "";
    slider.setAttribute("aria-valuetext", `${frames.label} ${frames.values[frame] ?? ""}`);
    note.textContent = minus(frames.notes?.[at] ?? "");
    note.hidden = !frames.notes;
    show(at);
  };
  const second = frames.second ? secondSlider(frames.second, (next) => {
    row = next;
    go(Number(slider.value));
  }) : null;
  slider.addEventListener("input", () => go(Number(slider.value)));
  const line = html("div", { class: "scrubber" }, html("label", { for: id }, frames.label), slider, value);
  if (frames.play) {
    let timer = 0;
    const button = html("button", { type: "button", class: "small" }, "Play");
    const stop = (): void => {
      clearInterval(timer);
      timer = 0;
      button.textContent = "Play";
    };
    button.addEventListener("click", () => {
      if (timer) return stop();
      if (Number(slider.value) === last) go(0);
      button.textContent = "Pause";
      timer = setInterval(() => {
        const next = Number(slider.value) + 1;
        if (next > last) stop();
        else go(next);
      }, Math.max(120, Math.min(600, 6000 / frames.values.length))) as unknown as number;
    });
    slider.addEventListener("pointerdown", () => timer && stop());
    line.prepend(button);
  }
  go(start);
  return html("div", {}, line, ...(second ? [second] : []), note);
}

function secondSlider(of: NonNullable<Frames["second"]>, show: (value: number) => void): HTMLElement {
  const id = fresh("scrub");
  const slider = html("input", { type: "range", id, min: 0, max: of.values.length - 1, step: 1, value: of.start ?? 0 });
  const value = html("output", { for: id });
  const say = (): void => {
    value.textContent = minus(of.values[Number(slider.value)] ?? "");
    slider.setAttribute("aria-valuetext", `${of.label} ${value.textContent}`);
  };
  slider.addEventListener("input", () => {
    say();
    show(Number(slider.value));
  });
  say();
  return html("div", { class: "scrubber" }, html("label", { for: id }, of.label), slider, value);
}
