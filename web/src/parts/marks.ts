// Colours and shapes. Colours are classes of the style sheet (fill f0.., stroke s0..), so that light and dark need no
// redrawing; every class also has a shape of its own.
import { symbol, symbolCircle, symbolCross, symbolDiamond, symbolSquare, symbolStar, symbolTriangle, symbolWye } from "d3-shape";
import type { Color } from "../types.ts";

export const colors = 10;
const shapes = [symbolCircle, symbolTriangle, symbolSquare, symbolDiamond, symbolCross, symbolStar, symbolWye];

export const fillOf = (color: Color | undefined): string => "f" + tone(color);
export const strokeOf = (color: Color | undefined): string => "s" + tone(color);

function tone(color: Color | undefined): string {
  if (color === undefined) return "0";
  return typeof color === "number" ? String(((color % colors) + colors) % colors) : color;
}

export function shapePath(kind: number, area: number): string {
  // Ten colours and seven shapes have no common factor below 70, so the first 70 classes differ in the pair.
  return symbol(shapes[((kind % shapes.length) + shapes.length) % shapes.length]!, area)() ?? "";
}
