import { useState } from 'react'
import { Severity } from '../../../parts/badge.tsx'
import { Button } from '../../../parts/button.tsx'
import { Choices } from '../../../parts/choices.tsx'
import { count } from '../../../parts/text.ts'
import { Words } from '../../../parts/page.tsx'
import { VirtualList } from '../../../parts/virtual-list.tsx'
import type { EditFinding, TextEdit } from '../../../../../src/api/edits.ts'
import type { Snapshot } from '../../../editor/document.ts'
import { OutlineList } from './outline-list.tsx'
import type { Changed, Checked, Checks } from './use-checks.ts'

type Go = (snapshot: Snapshot, at: TextEdit['start']) => void

const listHeight = 'max-h-[40dvh] lg:max-h-[calc(100dvh-16rem)]'

const Line = ({ line, onGo }: { line: number; onGo: () => void }) => (
  <button type="button" className="link min-h-6 text-xs tabular-nums" onClick={onGo}>
    line {(line + 1).toLocaleString()}
  </button>
)

const Findings = ({
  checked,
  onGo,
  onFix,
}: {
  checked: Checked
  onGo: (at: TextEdit['start']) => void
  onFix: (finding: EditFinding | null) => void
}) => {
  const { findings, total } = checked
  const fixable = findings.filter(({ fix }) => fix !== null && fix.visible === null).length
  if (findings.length === 0) return <p className="text-sm text-soft">No findings. All rules passed.</p>
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-2 text-xs text-soft">
        <p role="status">
          {total > findings.length
            ? `The worst ${findings.length.toLocaleString()} of ${total.toLocaleString()} findings`
            : count(total, 'finding', 'findings')}
        </p>
        {fixable > 0 ? <Button onClick={() => onFix(null)}>Fix {fixable.toLocaleString()}</Button> : null}
      </div>
      <VirtualList label="Findings" total={findings.length} estimate={86} height={listHeight}>
        {(index) => {
          const finding = findings[index]
          if (finding === undefined) return null
          const { severity, code, message, range, fix } = finding
          return (
            <div className="grid gap-1 px-3 py-2 text-sm">
              <p className="flex flex-wrap items-center gap-x-2">
                <Severity severity={severity} />
                <Line line={range.start.line} onGo={() => onGo(range.start)} />
              </p>
              <p className="wrap-anywhere">
                <Words of={message} /> <span className="font-mono text-xs text-soft">{code}</span>
              </p>
              {fix === null ? null : (
                <button
                  type="button"
                  className="link min-h-6 justify-self-start text-left text-xs"
                  onClick={() => onFix(finding)}
                >
                  {fix.description}
                </button>
              )}
            </div>
          )
        }}
      </VirtualList>
    </>
  )
}

const ChangesList = ({ changed, onGo }: { changed: Changed; onGo: (at: TextEdit['start']) => void }) => {
  const { base, changes, total } = changed
  if (base === null) return <p className="text-sm text-soft">There is no version to compare with yet.</p>
  if (total === 0) return <p className="text-sm text-soft">No changes since {base.label}.</p>
  return (
    <>
      <p role="status" className="text-xs text-soft">
        {total > changes.length ? `The worst ${changes.length.toLocaleString()} of ` : ''}
        {count(total, 'change', 'changes')} since {base.label}
      </p>
      <VirtualList label="Changes since the base" total={changes.length} estimate={70} height={listHeight}>
        {(index) => {
          const change = changes[index]
          if (change === undefined) return null
          const { range, severity, classification, message } = change
          return (
            <div className="grid gap-1 px-3 py-2 text-sm">
              <p className="flex flex-wrap items-center gap-x-2">
                <Severity severity={severity === 'breaking' && classification === 'unknown' ? 'undecided' : severity} />
                {range === null ? (
                  <span className="text-xs text-soft">removed</span>
                ) : (
                  <Line line={range.start.line} onGo={() => onGo(range.start)} />
                )}
              </p>
              <p className="wrap-anywhere">
                <Words of={message} />
              </p>
            </div>
          )
        }}
      </VirtualList>
    </>
  )
}

interface Panel {
  readonly checks: Checks
  readonly onGo: Go
  /** Null fixes everything that no client notices. */
  readonly onFix: (finding: EditFinding | null) => void
}

const Listed = ({ list, checks: { outline, findings, changes }, onGo, onFix }: Panel & { list: string }) => {
  if (list === 'outline' && outline)
    return (
      <OutlineList
        outline={outline.value}
        height={listHeight}
        onLine={({ line }) => onGo(outline.snapshot, { line, character: 0 })}
      />
    )
  if (list === 'findings' && findings)
    return <Findings checked={findings.value} onGo={(at) => onGo(findings.snapshot, at)} onFix={onFix} />
  if (list === 'changes' && changes)
    return <ChangesList changed={changes.value} onGo={(at) => onGo(changes.snapshot, at)} />
  return <p className="text-sm text-soft">Checking …</p>
}

/** What is beside the editor: the outline, what lint finds, and what the draft changes. */
export const SidePanel = ({ checks, onGo, onFix }: Panel) => {
  const [list, setList] = useState('outline')
  const { findings, changes } = checks
  return (
    <div className="grid min-h-0 grid-cols-[minmax(0,1fr)] content-start gap-3 overflow-y-auto p-3">
      <Choices
        label="What is listed"
        value={list}
        onChange={(next) => setList(next ?? list)}
        choices={[
          { value: 'outline', name: 'Outline' },
          { value: 'findings', name: 'Findings', ...(findings ? { count: findings.value.total } : {}) },
          { value: 'changes', name: 'Changes', ...(changes ? { count: changes.value.total } : {}) },
        ]}
      />
      <Listed list={list} checks={checks} onGo={onGo} onFix={onFix} />
    </div>
  )
}
