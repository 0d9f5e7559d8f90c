// Keeps the end of a growing page in view, for as long as the reader is there; a reader who has scrolled away is left alone.
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";

/** Pixels from the end within which a reader counts as being there. */
const NEAR_PX = 120;

const fromEnd = (): number => document.documentElement.scrollHeight - window.innerHeight - window.scrollY;

export function useStick(turns: number, name: string) {
  const box = useRef<HTMLDivElement>(null);
  const stuck = useRef(true);
  const [away, setAway] = useState(false);
  const toEnd = useCallback(() => {
    stuck.current = true;
    setAway(false);
    requestAnimationFrame(() => window.scrollTo(0, document.documentElement.scrollHeight));
  }, []);
  useEffect(() => {
    const seen = () => {
      stuck.current = fromEnd() < NEAR_PX;
      setAway(!stuck.current);
    };
    window.addEventListener("scroll", seen, { passive: true });
    return () => window.removeEventListener("scroll", seen);
  }, []);
  useLayoutEffect(() => {
    stuck.current = location.hash === "";
    setAway(false);
  }, [name]);
  useLayoutEffect(() => {
    const talk = box.current;
    if (!talk) return;
    const follow = () => {
      if (stuck.current) window.scrollTo(0, document.documentElement.scrollHeight);
    };
    follow();
    const observer = new ResizeObserver(follow);
    observer.observe(talk);
    return () => observer.disconnect();
  }, [turns, name]);
  return { box, away, toEnd };
}
