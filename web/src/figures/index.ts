// The kinds of figures by name.
import type { FigureData } from "../types.ts";
import { html } from "../parts/dom.ts";
import type { Changed, Described, Drawn } from "../parts/figure.ts";
import { tableElement } from "../parts/table.ts";
import { drawConfusion } from "./confusion.ts";
import { drawForest } from "./forest.ts";
import { drawPictures } from "./pictures.ts";
import { drawPlots } from "./plots.ts";
import { drawSpace } from "./space.ts";
import { drawThreshold } from "./threshold.ts";
import { drawWiring } from "./wiring.ts";

export function drawFigure(data: FigureData, description: Described, changed: Changed): Drawn {
  switch (data.kind) {
    case "plots":
      return drawPlots(data, description, changed);
    case "forest":
      return drawForest(data, description, changed);
    case "confusion":
      return drawConfusion(data, description);
    case "pictures":
      return drawPictures(data, description);
    case "wiring":
      return drawWiring(data, description);
    case "space":
      return drawSpace(data, description);
    case "threshold":
      return drawThreshold(data, description, changed);
    case "table": {
      const table = { columns: data.columns, rows: data.rows };
      return { element: html("div", { class: "marks" }, tableElement(table, description.title)), redraw: () => {}, table: () => table };
    }
  }
}
