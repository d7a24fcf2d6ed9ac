// What is under the pointer, or under the reader's arrow keys, in words.
import { html, svg } from "./dom.ts";

export interface Target {
  x: number; // in the pixels of the drawing
  y: number;
  text: string;
}
const reach = 26;

export class Tooltip {
  private readonly box = html("div", { class: "tip", hidden: true });
  private readonly live = html("div", { class: "hidden", "aria-live": "polite" });
  private readonly ring = svg("circle", { r: 7, class: "ring", visibility: "hidden" });
  private targets: Target[] = [];
  private at = -1;

  constructor(
    private readonly canvas: HTMLElement,
    private readonly drawing: SVGSVGElement,
  ) {
    canvas.append(this.box, this.live);
    drawing.setAttribute("tabindex", "0");
    drawing.addEventListener("pointermove", (event) => this.point(event));
    drawing.addEventListener("pointerleave", () => this.hide());
    drawing.addEventListener("blur", () => this.hide());
    drawing.addEventListener("keydown", (event) => this.key(event));
  }

  set(targets: Target[]): void {
    this.targets = [...targets].sort((a, b) => a.x - b.x || a.y - b.y);
    this.hide();
    this.drawing.append(this.ring);
  }

  private scale(): number {
    return this.drawing.clientWidth / this.drawing.viewBox.baseVal.width || 1;
  }

  private point(event: PointerEvent): void {
    const frame = this.drawing.getBoundingClientRect();
    const scale = this.scale();
    const x = (event.clientX - frame.left) / scale;
    const y = (event.clientY - frame.top) / scale;
    let best = -1;
    let distance = reach * reach;
    this.targets.forEach((target, i) => {
      const d = (target.x - x) ** 2 + (target.y - y) ** 2;
      if (d < distance) [distance, best] = [d, i];
    });
    if (best < 0) this.hide();
    else this.show(best, false);
  }

  private key(event: KeyboardEvent): void {
    const step = { ArrowRight: 1, ArrowLeft: -1, PageDown: 10, PageUp: -10 }[event.key];
    if (event.key === "Escape") this.hide();
    if (step === undefined || this.targets.length === 0) return;
    event.preventDefault();
    const next = this.at < 0 ? (step > 0 ? 0 : this.targets.length - 1) : this.at + step;
    this.show(Math.max(0, Math.min(this.targets.length - 1, next)), true);
  }

  private show(i: number, say: boolean): void {
    const target = this.targets[i]!;
    this.at = i;
    this.box.replaceChildren(...target.text.split("\n").map((line) => html("div", {}, line)));
    this.box.hidden = false;
    const scale = this.scale();
    const drawn = this.drawing.getBoundingClientRect();
    const around = this.canvas.getBoundingClientRect();
    const left = target.x * scale + drawn.left - around.left;
    const top = target.y * scale + drawn.top - around.top;
    const width = this.box.offsetWidth;
    this.box.style.left = `${Math.max(0, Math.min(this.canvas.clientWidth - width, left - width / 2))}px`;
    const above = top - this.box.offsetHeight - 12;
    this.box.style.top = `${above > -20 ? above : top + 14}px`;
    this.ring.setAttribute("cx", String(target.x));
    this.ring.setAttribute("cy", String(target.y));
    this.ring.setAttribute("visibility", "visible");
    if (say) this.live.textContent = target.text;
  }

  private hide(): void {
    this.at = -1;
    this.box.hidden = true;
    this.ring.setAttribute("visibility", "hidden");
  }
}
