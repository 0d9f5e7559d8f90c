// An error in its place: what failed, why, whether something was changed, and how to go on.
import type { Trouble } from "../lib/api.ts";

export function Problem({ what, trouble, retry }: { what: string; trouble: Trouble; retry?: () => void }) {
  return (
    <div className="problem" role="alert">
      <p className="line">{what}</p>
      <p className="why">{trouble.message}</p>
      {retry ? (
        <p className="acts">
          <button type="button" className="act strong" onClick={retry}>
            Try again
          </button>
        </p>
      ) : null}
    </div>
  );
}
