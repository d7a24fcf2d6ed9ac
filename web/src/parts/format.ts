// Numbers for people: four significant digits, a real minus sign, thousands grouped.
export function number(value: number | null | undefined, digits = 4): string {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  const size = Math.abs(value);
  let text: string;
  if (size !== 0 && (size < 1e-4 || size >= 1e7)) text = value.toExponential(digits - 2);
  else if (Number.isInteger(value)) text = value.toString().replace(/\B(?=(\d{3})+$)/g, ",");
  else text = String(Number(value.toPrecision(digits)));
  return text.replaceAll("-", "−");
}

export function percent(share: number, digits = 1): string {
  return `${(100 * share).toFixed(digits)} %`;
}

// A text that may be long, shortened in the middle of nowhere but with a mark.
export function short(text: string, most = 28): string {
  const letters = [...text];
  return letters.length <= most ? text : letters.slice(0, most - 1).join("") + "…";
}

// A text that is a plain number, as numbers for people are; any other text as it is.
export function rounded(text: string): string {
  return /^-?\d+(\.\d+)?(e[-+]?\d+)?$/.test(text) ? number(Number(text)) : text;
}

// A sentence with real minus signs before its numbers.
export function minus(text: string): string {
  return text.replace(/(^|[\s(=])-(?=[\d.])/g, "$1−");
}
