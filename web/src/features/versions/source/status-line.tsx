import type { Cursor } from '../../../editor/document.ts'
import type { Rope } from '../../../editor/rope.ts'
import { count } from '../../../parts/count.ts'
import { syntaxOf } from './read-rope.ts'
import type { Checks } from './use-checks.ts'

/** Below the editor: where the cursor is, how the text is written, and whether it is checked. */
export const StatusLine = ({
  cursor,
  lineBreak,
  mediaType,
  checks,
  note,
}: {
  cursor: Cursor
  lineBreak: Rope['lineBreak']
  mediaType: string
  checks: Checks
  note: string
}) => (
  <footer className="flex flex-wrap items-center gap-x-4 gap-y-1 px-3 py-1 text-xs text-soft">
    <span className="tabular-nums">
      Line {cursor.line.toLocaleString()}, column {cursor.column.toLocaleString()}
    </span>
    <span>{count(cursor.lines, 'line', 'lines')}</span>
    <span>{syntaxOf(mediaType).toUpperCase()}</span>
    <span>{lineBreak === '\n' ? 'LF' : 'CRLF'}</span>
    <span role="status">
      {note !== ''
        ? note
        : checks.error
          ? `Not checked: ${checks.error instanceof Error ? checks.error.message : 'no answer'}`
          : checks.isBusy
            ? 'Checking …'
            : 'Checked'}
    </span>
    <span className="ml-auto max-sm:hidden">Ctrl F finds · F8 next finding · Ctrl Space completes · Tab leaves</span>
  </footer>
)
