import { useMemo } from 'react'
import { count } from './count.ts'
import { VirtualList } from './virtual-list.tsx'

/** A line longer than this is cut on the screen, never in the copy: minified documents are one line of megabytes. */
const longest = 2000

const Line = ({ text, number, marked }: { text: string; number: number; marked: boolean }) => (
  <div className={`flex gap-4 px-3 font-mono text-xs leading-[22px] ${marked ? 'bg-warn-wash' : ''}`}>
    <span className="w-10 shrink-0 text-right text-soft tabular-nums select-none">{number}</span>
    <span className="min-w-0 break-all whitespace-pre-wrap">
      {text.length > longest
        ? `${text.slice(0, longest)} … ${count(text.length - longest, 'character', 'characters')} more`
        : text}
    </span>
  </div>
)

/** A text line by line; `line` (from 1) is scrolled to and marked. */
export const Lines = ({ label, text, line }: { label: string; text: string; line: number | null }) => {
  const lines = useMemo(() => text.split('\n'), [text])
  return (
    <VirtualList
      label={label}
      total={lines.length}
      estimate={22}
      ruled={false}
      {...(line === null ? {} : { focusIndex: Math.min(line, lines.length) - 1 })}
    >
      {(index) => <Line text={lines[index] ?? ''} number={index + 1} marked={index + 1 === line} />}
    </VirtualList>
  )
}
