// Plain words of a person, with the strip where something was forgotten.
import { Fragment } from "react";
import { MARK } from "../markdown/redactions.ts";

export function Words({ text }: { text: string }) {
  if (!text.includes(MARK)) return <>{text}</>;
  return (
    <>
      {text.split(MARK).map((part, at) => (
        <Fragment key={at}>
          {at > 0 ? (
            <>
              <span className="sr">a part that you asked to forget</span>
              <span className="redact inline" aria-hidden="true" />
            </>
          ) : null}
          {part}
        </Fragment>
      ))}
    </>
  );
}
