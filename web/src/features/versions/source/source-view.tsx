import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { ListTree, Search } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { type EditFinding, editsApi } from '../../../../../src/api/edits.ts'
import type { VersionRecord } from '../../../../../src/api/versions.ts'
import { call } from '../../../call.ts'
import type { DocumentEditor } from '../../../editor/document.ts'
import { useAddress } from '../../../parts/address.ts'
import { Button, buttonClass } from '../../../parts/button.tsx'
import { CommandHint } from '../../../parts/commands.tsx'
import { CopyButton, CopyLater } from '../../../parts/copy.tsx'
import { count } from '../../../parts/text.ts'
import { Read } from '../../../parts/listing.tsx'
import { Toolbar } from '../../../parts/page.tsx'
import { holds, identityQuery } from '../../../session.ts'
import { type Finding, marksQuery } from '../../lint/queries.ts'
import { type VersionRef, versionParams, versionQuery, versionsKey } from '../../catalog/versions.ts'
import { DocumentPane } from './document-pane.tsx'
import { OutlineList } from './outline-list.tsx'
import { readStored, type StoredText, syntaxOf } from './read-rope.ts'

const keyOf = ({ tenant, project, version }: VersionRef, what: string, digest: string) => [
  ...versionsKey(tenant),
  what,
  project,
  version,
  digest,
]

const outlineQuery = (at: VersionRef, digest: string) =>
  queryOptions({
    queryKey: keyOf(at, 'outline', digest),
    queryFn: () => call(editsApi.outline, { params: versionParams(at), body: { digest, edits: [] } }),
    staleTime: 300_000,
  })

const marked = (findings: readonly Finding[], source: string): EditFinding[] =>
  findings.filter((it) => it.source === source).map((it) => ({ ...it, fix: null }))

const nowhere = (): void => {}

/** Above the source: what it holds, and what can be done with it. */
const SourceBar = ({
  at,
  lines,
  findings,
  editor,
  line,
  mayEdit,
  isListed,
  onList,
}: {
  at: VersionRef
  lines: number
  findings: number
  editor: DocumentEditor | null
  /** The line that is marked. */
  line: number | null
  mayEdit: boolean
  isListed: boolean
  onList: () => void
}) => {
  const address = [at.tenant, 'projects', at.project, 'versions', at.version].map(encodeURIComponent).join('/')
  return (
    <Toolbar>
      <div className="flex flex-wrap items-center gap-2 text-sm text-soft">
        <span>{count(lines, 'line', 'lines')}</span>
        {findings > 0 ? <span>· {count(findings, 'finding', 'findings')}</span> : null}
        <Button onClick={() => editor?.find()}>
          <Search size={15} aria-hidden="true" />
          Find
        </Button>
        <span className="lg:hidden">
          <Button aria-expanded={isListed} onClick={onList}>
            <ListTree size={15} aria-hidden="true" />
            Outline
          </Button>
        </span>
        <CopyLater name="Copy" read={() => Promise.resolve(editor?.snapshot().doc.toString() ?? '')} />
        {line === null ? null : (
          <span className="flex items-center gap-1">
            Line {line.toLocaleString()} <CopyButton text={location.href} what={`the link to line ${line}`} />
          </span>
        )}
        {mayEdit ? (
          <Link
            to="/t/$tenant/$project/$version/edit"
            params={{ ...at }}
            search={line === null ? {} : { line }}
            className={buttonClass('primary')}
          >
            Edit the draft
          </Link>
        ) : null}
      </div>
      <CommandHint
        command={`curl --header "X-API-Key: $SVC_API_KEY" ${location.origin}/v1/tenants/${address}/document`}
      />
    </Toolbar>
  )
}

/** The outline of the document, and its findings, which are marked in the editor. */
const useMarks = (at: VersionRef, record: VersionRecord, editor: DocumentEditor | null) => {
  const outline = useQuery(outlineQuery(at, record.digest))
  // What takes seconds for a large document is asked for once its outline is there.
  const lint = useQuery({ ...marksQuery(at), enabled: outline.data !== undefined || outline.error !== null })
  const { source, path } = record.provenance
  const findings = useMemo(() => marked(lint.data?.findings ?? [], path ?? source), [lint.data, path, source])
  useEffect(() => {
    if (editor !== null) editor.markFindings(findings, editor.snapshot())
  }, [editor, findings])
  return { outline, findings }
}

interface ReadingProps {
  readonly at: VersionRef
  readonly record: VersionRecord
  readonly stored: StoredText
  readonly line: number | null
}

const Reading = ({ at, record, stored, line }: ReadingProps) => {
  const { filter } = useAddress()
  const navigate = useNavigate()
  const [editor, setEditor] = useState<DocumentEditor | null>(null)
  const [isListed, setListed] = useState(false)
  const { outline, findings } = useMarks(at, record, editor)
  const identity = useQuery(identityQuery)
  const may = record.status === 'draft' && holds(identity.data, at.tenant, 'versions:edit')
  useEffect(() => {
    if (editor !== null && line !== null) editor.reveal(line, false)
  }, [editor, line])
  const show = (number: number): void => {
    filter({ line: number })
    editor?.reveal(number, true)
  }
  return (
    <>
      <SourceBar
        at={at}
        lines={stored.rope.doc.lines}
        findings={findings.length}
        editor={editor}
        line={line}
        mayEdit={may}
        isListed={isListed}
        onList={() => setListed(!isListed)}
      />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[16rem_minmax(0,1fr)]">
        <div className={`${isListed ? '' : 'max-lg:hidden'} print:hidden`}>
          <Read query={outline} what="the outline">
            {(outline) => (
              <OutlineList
                outline={outline}
                height="max-h-[40dvh] lg:max-h-[68dvh]"
                onLine={(item) => show(item.line + 1)}
              />
            )}
          </Read>
        </div>
        <div
          role="region"
          aria-label="Lines of the document"
          className="card h-[75dvh] overflow-hidden print:h-auto print:overflow-visible"
        >
          <DocumentPane
            stored={stored.rope}
            syntax={syntaxOf(stored.mediaType)}
            label="Text of the document"
            readOnly
            complete={null}
            onOpen={setEditor}
            onEdit={nowhere}
            onSave={() => {
              if (may) void navigate({ to: '/t/$tenant/$project/$version/edit', params: { ...at } })
            }}
            onCursor={nowhere}
            onLine={show}
            onFix={null}
          />
        </div>
      </div>
    </>
  )
}

/** The source as its author wrote it, with its outline and what lint finds beside the lines. The number of a line is its link. */
export const SourceView = ({ at, line }: { at: VersionRef; line: number | null }) => {
  const version = useQuery(versionQuery(at))
  const digest = version.data?.digest
  const source = useQuery({
    queryKey: keyOf(at, 'rope', digest ?? ''),
    queryFn: () => readStored(at),
    enabled: digest !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    structuralSharing: false,
  })
  return (
    <section aria-label="Source" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <Read query={version} what="the version">
        {(record) => (
          <Read query={source} what="the document">
            {(stored) => <Reading key={record.digest} at={at} record={record} stored={stored} line={line} />}
          </Read>
        )}
      </Read>
    </section>
  )
}
