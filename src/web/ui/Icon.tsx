// Icons: 16 px, stroke 1.25, in the colour of the words beside them.
import type { LucideIcon } from "lucide-react";

/** One of lucide's icons at the app's size and stroke; always beside a word or with a label on its button. */
export function Icon({ of: Glyph, size = 16, className }: { of: LucideIcon; size?: number; className?: string }) {
  return (
    <Glyph size={size} strokeWidth={1.25} absoluteStrokeWidth aria-hidden="true" className={className ? `i ${className}` : "i"} />
  );
}
