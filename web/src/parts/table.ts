// The table behind a figure, and its download as CSV.
import { html } from "./dom.ts";
import { number } from "./format.ts";

export type Cell = string | number | null | undefined;
export interface Table {
  columns: string[];
  rows: Cell[][];
}
const shownRows = 200;

export function csv(table: Table): string {
  const quote = (cell: Cell): string => {
    if (cell === null || cell === undefined) return "";
    // A text that a spreadsheet would take for a formula is marked as a text.
    const text = typeof cell === "string" && /^[=+\-@\t\r]/.test(cell) ? "'" + cell : String(cell);
    return /[",\n\r]/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text;
  };
  return [table.columns, ...table.rows].map((row) => row.map(quote).join(",")).join("\r\n") + "\r\n";
}

export function tableElement(table: Table, caption: string): HTMLElement {
  const numeric = (j: number): boolean => table.rows.slice(0, shownRows).some((row) => typeof row[j] === "number");
  const head = html("tr", {}, ...table.columns.map((name, j) => html("th", { scope: "col", class: numeric(j) ? "number" : undefined }, name)));
  const body = table.rows.slice(0, shownRows).map((row) =>
    html("tr", {}, ...row.map((cell) => (typeof cell === "number" ? html("td", { class: "number" }, number(cell, 6)) : html("td", {}, cell ?? "")))),
  );
  const element = html("table", {}, html("caption", {}, caption), html("thead", {}, head), html("tbody", {}, ...body));
  return html("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": `Table: ${caption}` }, element);
}

function save(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  const link = html("a", { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

// Closed until it is asked for; made anew whenever it is opened or the figure has changed.
export class TableToggle {
  readonly element: HTMLElement;
  private readonly body = html("div", {});
  private readonly details: HTMLDetailsElement;

  constructor(
    private readonly name: string,
    private readonly title: string,
    private readonly make: () => Table,
  ) {
    const button = html("button", { type: "button", class: "small" }, "Download CSV");
    button.addEventListener("click", () => save(`${this.name}.csv`, csv(this.make())));
    this.details = html("details", { class: "behind" }, html("summary", {}, "Table behind the figure"), button, this.body);
    this.details.addEventListener("toggle", () => this.refresh());
    this.element = this.details;
  }

  refresh(): void {
    if (!this.details.open) return;
    const table = this.make();
    const parts: HTMLElement[] = [tableElement(table, this.title)];
    if (table.rows.length > shownRows)
      parts.push(html("p", { class: "note" }, `The first ${shownRows} of ${number(table.rows.length)} rows; the download has all.`));
    this.body.replaceChildren(...parts);
  }
}
