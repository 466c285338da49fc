import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { DocumentField } from '../../parts/document-field.tsx'
import { useAddress } from '../../parts/address.ts'
import { Badge, Grade } from '../../parts/badge.tsx'
import { Choices } from '../../parts/choices.tsx'
import { Section } from '../../parts/page.tsx'
import { useLines } from '../../parts/source-frame.tsx'
import { Failure, Loading } from '../../parts/states.tsx'
import { VirtualList } from '../../parts/virtual-list.tsx'
import { ProjectPicker, VersionPicker } from '../catalog/pickers.tsx'
import { documentTextQuery, newestVersions, type VersionRef } from '../catalog/versions.ts'
import { FindingRow } from '../lint/finding-row.tsx'
import { comparePreviews, type Preview } from './preview-change.ts'
import type { GuideRef } from '../lint/queries.ts'
import { previewQuery, type PreviewTarget } from './queries.ts'

/** A stored version to try the rules on: choosing a project chooses its newest version. */
const StoredVersion = ({ tenant, project, version }: { tenant: string; project: string; version: string }) => {
  const { filter } = useAddress()
  const choose = async (chosen: string): Promise<void> =>
    filter({ project: chosen, version: (await newestVersions(tenant, chosen))[0]?.slug ?? '' })
  return (
    <div className="grid gap-2 sm:grid-cols-[2fr_1fr]">
      <ProjectPicker tenant={tenant} label="Project" value={project} onChoose={(chosen) => void choose(chosen)} />
      <VersionPicker
        tenant={tenant}
        project={project}
        label="Version"
        value={version}
        onChoose={(chosen) => filter({ version: chosen })}
      />
    </div>
  )
}

/** Chooses the document of the preview. A stored version is kept in the address, a pasted text is not kept. */
export const TargetChoice = ({
  tenant,
  project,
  version,
  pasted,
  onPaste,
}: {
  tenant: string
  project: string
  version: string
  /** Null: a stored version is chosen from. */
  pasted: string | null
  onPaste: (text: string | null) => void
}) => (
  <div className="grid gap-2">
    <Choices
      label="Try the rules on"
      value={pasted === null ? 'version' : 'text'}
      onChange={(kind) => onPaste(kind === 'text' ? '' : null)}
      choices={[
        { value: 'version', name: 'a stored version' },
        { value: 'text', name: 'a pasted document' },
      ]}
    />
    {pasted === null ? (
      <StoredVersion tenant={tenant} project={project} version={version} />
    ) : (
      <DocumentField label="Document" value={pasted} onChange={onPaste} />
    )}
  </div>
)

const Graded = ({ grade }: { grade: Preview['grade'] }) => (
  <span className="inline-flex items-center gap-1.5">
    <Grade grade={grade?.grade ?? null} score={grade?.score ?? null} />
    <span className="text-sm tabular-nums">{grade?.score?.toFixed(1) ?? 'not graded'}</span>
  </span>
)

const GradeChange = ({ saved, draft }: { saved: Preview; draft: Preview }) => {
  const same = saved.grade?.grade === draft.grade?.grade && saved.grade?.score === draft.grade?.score
  return (
    <div role="status" className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span className="text-sm text-soft">Grade with all rules of the guide</span>
      <Graded grade={saved.grade} />
      {same ? (
        <span className="text-sm text-soft">unchanged</span>
      ) : (
        <>
          <span aria-hidden="true">→</span>
          <span className="sr-only">would be</span>
          <Graded grade={draft.grade} />
        </>
      )}
    </div>
  )
}

const Outcome = ({
  saved,
  draft,
  at,
  text,
}: {
  saved: Preview
  draft: Preview
  /** The version that places lead to. */
  at: VersionRef | null
  text: string | null
}) => {
  const [kind, setKind] = useState<'own' | 'added' | 'gone' | 'all'>('own')
  const lines = useLines(text)
  const change = comparePreviews(saved, draft)
  const lists = { ...change, all: draft.findings }
  const shown = lists[kind]
  const added = new Set(change.added)
  return (
    <>
      <GradeChange saved={saved} draft={draft} />
      {draft.unmatchedRules.length > 0 ? (
        <p className="text-sm text-warn">
          Rules that matched nothing in this document:{' '}
          <span className="font-mono text-xs break-all">{draft.unmatchedRules.join(', ')}</span>
        </p>
      ) : null}
      <Choices
        label="Findings"
        value={kind}
        onChange={(next) => setKind((next ?? 'own') as typeof kind)}
        choices={[
          { value: 'own', name: 'custom rules', count: change.own.length },
          { value: 'added', name: 'new', count: change.added.length },
          { value: 'gone', name: 'resolved', count: change.gone.length },
          { value: 'all', name: 'all', count: draft.findings.length },
        ]}
      />
      {shown.length === 0 ? (
        <p className="card border-dashed px-4 py-6 text-center text-soft">
          {kind === 'own' ? 'No findings from custom rules.' : 'None.'}
        </p>
      ) : (
        <VirtualList label="Findings of the preview" total={shown.length} estimate={140} height="max-h-[28rem]">
          {(index) => {
            const finding = shown[index]
            return finding ? (
              <FindingRow
                at={at}
                finding={finding}
                excerpt={lines?.around(finding.range) ?? null}
                showRule
                mark={kind !== 'added' && added.has(finding) ? <Badge tone="accent">new</Badge> : undefined}
              />
            ) : null
          }}
        </VirtualList>
      )}
    </>
  )
}

/** What the rules in the editor would say of a document, and what that changes against the saved ones. */
export const PreviewPane = ({
  at,
  saved,
  draft,
  target,
}: {
  at: GuideRef
  /** The text that is saved. */
  saved: string
  /** The last text that could be read. */
  draft: string
  target: PreviewTarget | null
}) => {
  const before = useQuery({ ...previewQuery(at, saved, target), enabled: target !== null })
  const after = useQuery({
    ...previewQuery(at, draft, target),
    enabled: target !== null,
    placeholderData: (last) => last,
  })
  const stored =
    target?.kind === 'version' ? { tenant: at.tenant, project: target.project, version: target.version } : null
  const text = useQuery({
    ...documentTextQuery(stored ?? { tenant: '', project: '', version: '' }),
    enabled: stored !== null,
  })
  const content = () => {
    if (target === null)
      return (
        <p className="card border-dashed px-4 py-6 text-center text-soft">
          Choose a version or paste a document to see the findings.
        </p>
      )
    const error = after.error ?? before.error
    if (error) return <Failure error={error} onRetry={() => void Promise.all([before.refetch(), after.refetch()])} />
    if (!before.data || !after.data) return <Loading what="the preview" />
    const pasted = target.kind === 'text' ? target.content : null
    return <Outcome saved={before.data} draft={after.data} at={stored} text={pasted ?? text.data?.text ?? null} />
  }
  return (
    <Section title="Preview" description="Updates as you type. Nothing is stored.">
      {content()}
    </Section>
  )
}
