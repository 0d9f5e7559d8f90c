// Which parts of a message its author did not say: wrapped pastes, block quotes, fences, logs, code, transcripts. What is left is typed text.

export interface Typed {
  typed: string;
  /** The untyped parts, in order. */
  pasted: string[];
}

const LEVEL = /\b(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|CRITICAL)\b/;
const TIME_STAMP =
  /^\s*(?:\[?\d{4}-\d\d-\d\d[ T]\d\d:\d\d|\[\d{1,2}:\d\d(?::\d\d)?(?:[.,]\d+)?\]|\d{1,2}:\d\d:\d\d\b|[A-Z][a-z]{2} +\d{1,2} \d\d:\d\d:\d\d )/;
const STACK = /^\s+at \S+ ?\(|^\s*File "[^"]+", line \d+|^Traceback \(most recent/;
const PIPED = /^\S+\s+\| /;
const CODE =
  /[{};]\s*$|^\s*(?:import|from|export|const|let|var|def|class|function|return|public|private|#include|using|package|SELECT|INSERT|UPDATE)\b.*[({;=:*]|^\s*(?:\/\/|\/\*|\*\/|<\/?[a-z][^>]*>|[$#] \w+)|^\s*[\w.]+\s*=\s*\S+;?$|^\s*["'][\w-]+["']\s*:/;
const DIFF = /^(?:@@ |\+\+\+ |--- |diff --git )/;
const SPEAKER = /^\s*(?:<[^<>\s]{1,30}>|\[?[\p{L}][\p{L}\d_ .-]{0,24}\]?\s?:)\s+\S/u;
const MAIL_HEAD = /^(?:From|To|Cc|Sent|Subject|Date|Von|An|Betreff|De|Para|Asunto|Objet)\s?:\s/;
const FORWARDED = /^-{2,}\s*(?:Original Message|Forwarded message|Weitergeleitete Nachricht|Message d'origine|Mensaje original)/i;

const isLog = (line: string): boolean =>
  STACK.test(line) ||
  DIFF.test(line) ||
  (TIME_STAMP.test(line) && (LEVEL.test(line) || line.trim().length > 12)) ||
  (LEVEL.test(line) && /[:=\]|]/.test(line));

/** Takes the text of `<message>`…`</message>` (or a plain text) apart. */
export function typedOf(message: string): Typed {
  const pasted: string[] = [];
  const keep = (part: string): string => {
    if (part.trim()) pasted.push(part.trim());
    return "\n";
  };
  let text = message.replace(/<pasted>([\s\S]*?)(?:<\/pasted>|$)/g, (_, inside: string) => keep(inside));
  text = text.replace(
    /(^|\n)[ \t]{0,3}(`{3,20}|~{3,20})[^\n]*\n([\s\S]*?)(?:\n[ \t]{0,3}\2[`~]*[ \t]*(?=\n|$)|$)/g,
    (_, __, ___, inside: string) => keep(inside),
  );
  const lines = text.split(/\r?\n/);
  const untyped = lines.map((line) => /^\s{0,3}>/.test(line) || isLog(line));
  markRuns(lines, untyped, (line) => CODE.test(line), 2);
  markRuns(lines, untyped, (line) => PIPED.test(line), 2);
  markRuns(lines, untyped, (line) => TIME_STAMP.test(line), 2);
  markRuns(
    lines,
    untyped,
    (line) => SPEAKER.test(line) && !/^\s*(?:remember|note|ps|p\.s|correction|edit|update|btw|also)\b/i.test(line),
    3,
  );
  markRuns(lines, untyped, (line) => MAIL_HEAD.test(line), 2, true);
  const forwarded = lines.findIndex((line) => FORWARDED.test(line));
  if (forwarded >= 0) untyped.fill(true, forwarded);
  const typed: string[] = [];
  let run: string[] = [];
  lines.forEach((line, i) => {
    if (untyped[i]) run.push(line.replace(/^\s{0,3}>\s?/, ""));
    else {
      if (run.length > 0) keep(run.join("\n"));
      run = [];
      typed.push(line);
    }
  });
  if (run.length > 0) keep(run.join("\n"));
  return { typed: typed.join("\n").trim(), pasted };
}

/** Marks lines that fit, where at least `least` of them stand in a row (blank lines do not part them); `tail`: and all that follows. */
function markRuns(lines: string[], marks: boolean[], fits: (line: string) => boolean, least: number, tail = false): void {
  let start = -1;
  let count = 0;
  for (let i = 0; i <= lines.length; i++) {
    const line = lines[i];
    if (line !== undefined && fits(line)) {
      if (start < 0) start = i;
      count++;
    } else if (line !== undefined && (marks[i] || line.trim() === "")) continue;
    else {
      if (count >= least) marks.fill(true, start, tail ? lines.length : i);
      if (count >= least && tail) return;
      start = -1;
      count = 0;
    }
  }
}
