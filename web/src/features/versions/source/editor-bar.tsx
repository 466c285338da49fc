import { Link } from '@tanstack/react-router'
import { PanelRight, Save, X } from 'lucide-react'
import { useRef } from 'react'
import type { VersionRecord } from '../../../../../src/api/versions.ts'
import type { DocumentEditor } from '../../../editor/document.ts'
import { readRope } from '../../../editor/rope.ts'
import { Badge, Grade, Status } from '../../../parts/badge.tsx'
import { Button } from '../../../parts/button.tsx'
import { count } from '../../../parts/text.ts'
import { saveFile } from '../../../parts/download.ts'
import { Menu, MenuItem } from '../../../parts/menu.tsx'
import type { VersionRef } from '../../catalog/versions.ts'
import { syntaxOf } from './read-rope.ts'
import { type Checks, isReadable } from './use-checks.ts'

/** The grade of what is stored, and of what is written now. */
const GradeStep = ({ record, checks }: { record: VersionRecord; checks: Checks }) => {
  const checked = checks.findings?.value
  if (checked !== undefined && !isReadable(checked))
    return (
      <span className="flex items-center gap-1.5">
        <Grade grade={record.grade} score={record.score} />
        <Badge tone="danger">cannot be read</Badge>
      </span>
    )
  const now = checked?.grade
  const step = now?.score == null || record.score === null ? 0 : Math.round((now.score - record.score) * 10) / 10
  return (
    <span className="flex items-center gap-1.5">
      <Grade grade={record.grade} score={record.score} />
      {now === undefined || (step === 0 && now.grade === record.grade) ? null : (
        <>
          <span aria-hidden="true">→</span>
          <span className="sr-only">would become</span>
          <Grade grade={now.grade} score={now.score} />
          <span className={`text-xs tabular-nums ${step < 0 ? 'text-danger' : 'text-ok'}`}>
            {step > 0 ? '+' : ''}
            {step.toLocaleString()}
          </span>
        </>
      )}
    </span>
  )
}

const Breaks = ({ checks }: { checks: Checks }) => {
  const changed = checks.changes?.value
  if (changed?.base == null) return null
  const { counts, consumers } = changed
  const { breaking } = counts
  const others = consumers === null ? 0 : consumers.broken_total - consumers.broken.length
  return (
    <>
      <Badge tone={breaking > 0 ? 'danger' : 'ok'}>
        {breaking > 0 ? count(breaking, 'breaking change', 'breaking changes') : 'nothing breaks'}
        <span className="sr-only"> since {changed.base.label}</span>
      </Badge>
      {consumers === null || breaking === 0 || consumers.total === 0 ? null : (
        <span className={`text-sm ${consumers.broken_total > 0 ? 'text-danger' : 'text-soft'}`}>
          breaks {consumers.broken_total.toLocaleString()} of {count(consumers.total, 'consumer', 'consumers')}
          {consumers.broken_total > 0
            ? `: ${consumers.broken.join(', ')}${others > 0 ? ` and ${others.toLocaleString()} more` : ''}`
            : ''}
        </span>
      )}
    </>
  )
}

/** What else can be done with the text: `name` is what it is downloaded as. */
const EditorMenu = ({
  editor,
  name,
  mediaType,
}: {
  editor: DocumentEditor | null
  name: string
  mediaType: string
}) => {
  const file = useRef<HTMLInputElement>(null)
  return (
    <>
      <Menu align="end" look="plain" label="More">
        <MenuItem onClick={() => editor?.find()}>Find and replace</MenuItem>
        <MenuItem onClick={() => editor?.goToLine()}>Go to line</MenuItem>
        <MenuItem onClick={() => editor?.nextFinding()}>Next finding</MenuItem>
        <MenuItem
          onClick={() => {
            void editor?.body(mediaType).then(({ blob }) => saveFile(name, blob))
          }}
        >
          Download this text
        </MenuItem>
        <MenuItem onClick={() => file.current?.click()}>Replace with a file …</MenuItem>
      </Menu>
      <input
        ref={file}
        type="file"
        accept=".json,.yaml,.yml"
        aria-label="File to put in place of the text"
        className="hidden"
        onChange={(event) => {
          const [chosen] = event.target.files ?? []
          if (chosen) void readRope(chosen.stream()).then((it) => editor?.replace(it))
          // The same file, changed meanwhile, can be chosen again.
          event.target.value = ''
        }}
      />
    </>
  )
}

/** What is edited, and what the edits do to its grade and its clients. */
const Heading = ({
  at,
  record,
  checks,
  unsaved,
}: {
  at: VersionRef
  record: VersionRecord | null
  checks: Checks
  unsaved: boolean
}) => (
  <div className="relative flex min-w-0 items-center gap-x-3 gap-y-1 max-md:h-7 max-md:w-full max-md:overflow-x-auto max-md:whitespace-nowrap max-md:[scrollbar-width:none] md:flex-wrap">
    <h1 className="min-w-0 font-semibold wrap-anywhere max-md:max-w-56 max-md:shrink-0 max-md:truncate">
      <span className="sr-only">Edit </span>
      <Link to="/t/$tenant/$project" params={{ tenant: at.tenant, project: at.project }} className="link">
        {at.project}
      </Link>{' '}
      {record?.label ?? at.version}
    </h1>
    {record === null ? null : (
      <>
        <Status status={record.status} />
        <GradeStep record={record} checks={checks} />
      </>
    )}
    <Breaks checks={checks} />
    {unsaved ? <span className="text-sm text-soft">Unsaved changes</span> : null}
  </div>
)

/** Above the editor: what is edited, what the edits do to its grade and its clients, and saving. */
export const EditorBar = ({
  at,
  record,
  checks,
  unsaved,
  isSaving,
  isOvertaken,
  isPanelOpen,
  editor,
  mediaType,
  onPanel,
  onSave,
  onMeet,
  onClose,
}: {
  at: VersionRef
  record: VersionRecord | null
  checks: Checks
  unsaved: boolean
  isSaving: boolean
  /** Someone else saved meanwhile. */
  isOvertaken: boolean
  isPanelOpen: boolean
  editor: DocumentEditor | null
  mediaType: string
  onPanel: () => void
  onSave: () => void
  onMeet: () => void
  onClose: () => void
}) => (
  <div
    data-head
    className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-3 py-2 max-md:gap-y-1 max-md:py-1"
  >
    <Heading at={at} record={record} checks={checks} unsaved={unsaved} />
    <div className="flex items-center gap-2 max-md:gap-1.5 max-md:[&_button>svg]:hidden md:flex-wrap">
      {isOvertaken ? (
        <Button onClick={onMeet}>
          <Badge tone="warn">saved by another user</Badge> Merge …
        </Button>
      ) : null}
      <EditorMenu editor={editor} name={`${at.project}-${at.version}.${syntaxOf(mediaType)}`} mediaType={mediaType} />
      <span className="lg:hidden">
        <Button aria-expanded={isPanelOpen} onClick={onPanel}>
          <PanelRight size={15} aria-hidden="true" />
          Panel
        </Button>
      </span>
      <Button look="primary" busy={isSaving} disabled={!unsaved} onClick={onSave}>
        <Save size={15} aria-hidden="true" />
        Save the draft
      </Button>
      <Button onClick={onClose}>
        <X size={15} aria-hidden="true" />
        Close
      </Button>
    </div>
  </div>
)
