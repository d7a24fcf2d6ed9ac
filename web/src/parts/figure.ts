// What every kind of figure is given, and gives back.
import type { Table } from "./table.ts";

export interface Drawn {
  element: HTMLElement;
  redraw(width: number): void; // for a new width
  table(): Table; // of what is shown now
}

// Called when what is shown has changed, so that an open table follows.
export type Changed = () => void;
export interface Described {
  title: string;
  text: string;
}
