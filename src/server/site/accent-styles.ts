/** The site's accent colour from its configuration, made readable on light and on dark. */
import type { SiteConfig } from "./site-config.ts";

type Rgb = readonly [red: number, green: number, blue: number];

/** WCAG 2.1 AA asks for 4.5; the accent is also read on a background that it tints itself. */
const minContrast = 5.7;
const lightBackground: Rgb = [255, 255, 255];
const darkBackground: Rgb = [30, 33, 40];

function parseHex(hex: string): Rgb {
  const digits = hex.length === 4 ? [...hex.slice(1)].map((digit) => digit + digit).join("") : hex.slice(1);
  const value = Number.parseInt(digits, 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

function luminance(color: Rgb): number {
  const [red = 0, green = 0, blue = 0] = color.map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(left: Rgb, right: Rgb): number {
  const [dark = 0, light = 0] = [luminance(left), luminance(right)].toSorted(
    (first, second) => first - second,
  );
  return (light + 0.05) / (dark + 0.05);
}

function mix(color: Rgb, target: Rgb, share: number): Rgb {
  const blend = (index: 0 | 1 | 2) => Math.round(color[index] + (target[index] - color[index]) * share);
  return [blend(0), blend(1), blend(2)];
}

/** The colour nearest to the wanted one that can be read on a background. */
function readableOn(color: Rgb, background: Rgb): Rgb {
  const target: Rgb = luminance(background) > 0.5 ? [0, 0, 0] : [255, 255, 255];
  for (let share = 0; share < 1; share += 0.05) {
    const candidate = mix(color, target, share);
    if (contrast(candidate, background) >= minContrast) return candidate;
  }
  return target;
}

function toCss([red, green, blue]: Rgb): string {
  return `rgb(${red} ${green} ${blue})`;
}

/** Style rules for the configured accent; empty where none is configured. */
export function accentStyles(colors: SiteConfig["colors"]): string {
  if (colors?.primary === undefined) return "";
  const light = toCss(readableOn(parseHex(colors.primary), lightBackground));
  const dark = toCss(readableOn(parseHex(colors.light ?? colors.primary), darkBackground));
  return `:root{--accent:${light}}:root[data-theme=dark]{--accent:${dark}}@media (prefers-color-scheme:dark){:root:not([data-theme=light]){--accent:${dark}}}\n`;
}
