import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useId, useMemo, useRef, useState } from 'react'
import { type ImportJob, importsApi } from '../../../../src/api/imports.ts'
import { callLarge } from '../../call.ts'
import { Badge, Grade } from '../../parts/badge.tsx'
import { hintOf } from '../../parts/error-hint.ts'
import { formatName } from '../../../../src/kernel/format-names.ts'
import { count } from '../../parts/text.ts'
import { Form } from '../../parts/form.tsx'
import { Read } from '../../parts/listing.tsx'
import { Section } from '../../parts/page.tsx'
import { TextLines } from '../../parts/text-lines.ts'
import { holds, identityQuery } from '../../session.ts'
import { FindingRow } from '../lint/finding-row.tsx'
import { Gates } from '../catalog/gates.tsx'
import { type Chosen, nameOf, toSource } from './chosen.ts'
import { type Afterwards, DestinationForm, PublishingChoice } from './destination-form.tsx'
import { ImportResult } from './import-result.tsx'
import { type ChosenOverlay, overlaysOf } from './overlay-files.ts'
import { type OverlayChoice, overlayFault, OverlaysSection } from './overlays-section.tsx'
import { type Destination, type Preflight, preflightQuery } from './queries.ts'

/** Findings that are shown at most; the lint report of the version has all of them. */
const shown = 20
/** Of one rule: every error may be a reason of its own, warnings of one kind say the same. */
const shownOfRule = { error: 5, warning: 1, info: 1, hint: 1 } as const

/** What an import would do, in one sentence. */
export function planWords({ plan }: Preflight): string | null {
  if (plan === null) return null
  const { project, version } = plan
  if (project.action === 'create') return `Creates the project "${project.name}" with version ${version.label}.`
  if (version.action === 'create') return `Adds version ${version.label} to "${project.name}".`
  if (version.action === 'update') return `Replaces the document of the draft ${version.label} of "${project.name}".`
  return `Version ${version.label} of "${project.name}" holds this document already.`
}

/** Whether it could be imported somewhere: another project or version does not help a document that is not valid. */
const isReadable = ({ format, refusal }: Preflight): boolean =>
  format !== null && refusal?.code !== 'document-invalid' && refusal?.code !== 'format-unknown'

const Refusal = ({ refusal }: { refusal: NonNullable<Preflight['refusal']> }) => (
  <div role="alert" className="card grid gap-1 border-transparent bg-danger-wash px-4 py-3">
    <p className="font-medium text-danger">This document cannot be imported as it is</p>
    <p className="break-words">{refusal.message}</p>
    <p className="text-soft">{hintOf(refusal.code) ?? refusal.hint}</p>
  </div>
)

interface Shown {
  readonly finding: Preflight['findings'][number]
  /** How many more of its rule are not shown. */
  readonly more: number
}

/** The first findings of each rule, in the order of importance that they came in. */
function mostImportant(findings: Preflight['findings']): readonly Shown[] {
  const byRule = Map.groupBy(findings, (it) => it.code)
  return [...byRule.values()]
    .flatMap((all) => {
      const few = all.slice(0, shownOfRule[all[0]?.severity ?? 'error'])
      return few.map((finding, index) => ({ finding, more: index === few.length - 1 ? all.length - few.length : 0 }))
    })
    .slice(0, shown)
}

/** The lines of the texts that are at hand, by the names that findings have for them. */
function useTexts(source: string, chosen: Chosen, overlays: readonly ChosenOverlay[]): ReadonlyMap<string, TextLines> {
  return useMemo(() => {
    const own = chosen.kind === 'text' ? [[source, new TextLines(chosen.text)] as const] : []
    return new Map([...overlays.map(({ name, text }) => [name, new TextLines(text)] as const), ...own])
  }, [source, chosen, overlays])
}

const Findings = ({
  answer: { findings, grade, source },
  chosen,
  overlays,
}: {
  answer: Preflight
  chosen: Chosen
  overlays: readonly ChosenOverlay[]
}) => {
  const texts = useTexts(source, chosen, overlays)
  if (findings.length === 0) return null
  return (
    <Section
      title={`${count(grade.counts.error, 'error', 'errors')}, ${count(grade.counts.warning, 'warning', 'warnings')}`}
      description="The first findings of each rule, the most important first. The lint report of the version shows all of them."
    >
      <ul className="card divide-y">
        {mostImportant(findings).map(({ finding, more }) => (
          <li key={`${finding.fingerprint} ${finding.pointer} ${finding.message}`}>
            <FindingRow
              at={null}
              finding={finding}
              excerpt={texts.get(finding.source)?.around(finding.range) ?? null}
              showRule
              mark={
                <>
                  {finding.source === source ? null : <Badge tone="info">{finding.source}</Badge>}
                  {more === 0 ? null : <Badge>{`and ${more.toLocaleString()} more`}</Badge>}
                </>
              }
            />
          </li>
        ))}
      </ul>
    </Section>
  )
}

const verdicts = {
  pass: { tone: 'ok', words: 'Every gate of publishing passes.' },
  warn: { tone: 'warn', words: 'It can be published, with warnings.' },
  blocked: { tone: 'danger', words: 'The gates would not let it be published. It can be kept as a draft.' },
} as const

const Verdict = ({
  answer: { grade, policy, format },
  isChecking,
}: {
  answer: Preflight
  /** It is being checked against another project or version: what was said of the one before does not hold. */
  isChecking: boolean
}) => {
  const { tone, words } = verdicts[policy.verdict]
  return (
    <div className="card flex flex-wrap items-center gap-4 p-4">
      <Grade grade={grade.grade} score={grade.score} large />
      <div className="grid min-w-0 flex-1 basis-64 gap-1">
        <p className="flex flex-wrap items-center gap-2">
          {isChecking ? (
            <span className="text-soft">Comparing it with the published version …</span>
          ) : (
            <>
              <Badge tone={tone}>{policy.verdict === 'pass' ? 'ready' : policy.verdict}</Badge>
              <span>{words}</span>
            </>
          )}
        </p>
        <p className="text-sm text-soft">
          {format ? `${formatName(format.kind)} ${format.version}, ` : ''}graded by the style guide "{policy.guide}"
        </p>
      </div>
    </div>
  )
}

const Start = ({
  tenant,
  chosen,
  root,
  overlays,
  destination,
  answer,
  onStart,
}: {
  tenant: string
  chosen: Chosen
  root: string | null
  overlays: readonly ChosenOverlay[]
  destination: Destination
  answer: Preflight
  onStart: (job: ImportJob) => void
}) => {
  const identity = useQuery(identityQuery)
  const [afterwards, setAfterwards] = useState<Afterwards>('draft')
  const mayPublish = holds(identity.data, tenant, 'versions:publish') && answer.policy.verdict !== 'blocked'
  const { project, name, label } = destination
  const start = useMutation({
    scope: { id: useId() },
    mutationFn: () =>
      callLarge(importsApi.create, {
        params: { tenant_slug: tenant },
        body: {
          source: toSource(chosen),
          ...(root === null ? {} : { root }),
          ...overlaysOf(overlays),
          ...(project === null ? {} : { project_slug: project }),
          ...(name === null ? {} : { project_name: name }),
          ...(label === null ? {} : { version: label }),
          ...(afterwards === 'draft' || !mayPublish ? {} : { publish: afterwards }),
        },
      }),
    onSuccess: onStart,
  })
  const same = answer.plan?.version.action === 'keep'
  return (
    <Form change={start} submit="Import" disabled={answer.refusal !== null || same}>
      {mayPublish && !same ? <PublishingChoice value={afterwards} onChange={setAfterwards} /> : null}
    </Form>
  )
}

type DestinationProps = Parameters<typeof DestinationForm>[0]

const Where = ({ isChecking, ...props }: DestinationProps & { isChecking: boolean }) => (
  <Section title="Where it goes">
    <div className="card grid gap-4 p-4">
      <p role="status" className="font-medium">
        {isChecking ? 'Checking …' : (planWords(props.answer) ?? 'Choose another project or version.')}
      </p>
      <DestinationForm {...props} />
    </div>
  </Section>
)

/** One document before it is stored: what is wrong with it, where it goes, and the button that imports it. */
export const CheckView = ({
  tenant,
  id,
  chosen,
  root,
  project,
  overlays,
  onOverlays,
}: OverlayChoice & {
  tenant: string
  /** Another one for every choice. */
  id: string
  chosen: Chosen
  /** The document in a tree; null for a single one. */
  root: string | null
  /** The project that the reader comes from. */
  project: string | null
}) => {
  const [destination, setDestination] = useState<Destination>({ project, name: null, label: null })
  const [job, setJob] = useState<ImportJob | null>(null)
  const check = useQuery(preflightQuery(tenant, { id, chosen, root, overlays }, destination))
  const first = useRef<Preflight | null>(null)
  const answer = check.data
  const fault = overlayFault(answer?.refusal ?? null)
  // With a fault of an overlay, the rest of the answer is about the document without its overlays.
  if (first.current === null && answer !== undefined && fault === null) first.current = answer
  const isNew = fault === null && answer?.plan?.project.action === 'create'
  const proposed = isNew ? answer.similar[0]?.slug : undefined
  const isUntouched = destination.project === null && destination.name === null
  useEffect(() => {
    // A project that holds a document of this title is where it nearly always belongs.
    if (isUntouched && proposed !== undefined) setDestination((before) => ({ ...before, project: proposed }))
  }, [isUntouched, proposed])
  if (job) return <ImportResult key={job.job_id} tenant={tenant} started={job} />
  const isOld = check.isPlaceholderData
  const section = (
    <OverlaysSection
      overlays={overlays}
      onOverlays={onOverlays}
      applied={answer?.overlays ?? null}
      fault={isOld ? null : fault}
    />
  )
  if (fault !== null)
    return (
      <>
        {isOld ? <p role="status">Checking …</p> : null}
        {section}
      </>
    )
  return (
    <Read query={check} what={`the result for ${root ?? nameOf(chosen)}`}>
      {(plan) => (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-5" aria-busy={check.isFetching}>
          {plan.refusal ? <Refusal refusal={plan.refusal} /> : null}
          {isReadable(plan) ? <Verdict answer={plan} isChecking={check.isFetching} /> : null}
          {isReadable(plan) ? section : null}
          {isReadable(plan) ? (
            <Where
              tenant={tenant}
              first={first.current ?? plan}
              answer={plan}
              isChecking={check.isFetching}
              chosen={destination}
              onChoose={setDestination}
            />
          ) : null}
          {check.isFetching || !isReadable(plan) ? null : (
            <Start
              tenant={tenant}
              chosen={chosen}
              root={root}
              overlays={overlays}
              destination={destination}
              answer={plan}
              onStart={setJob}
            />
          )}
          {isReadable(plan) && !check.isFetching && plan.policy.gates.length > 0 ? (
            <Section title="Gates of publishing">
              <Gates gates={plan.policy.gates} />
            </Section>
          ) : null}
          <Findings answer={plan} chosen={chosen} overlays={overlays} />
        </div>
      )}
    </Read>
  )
}
