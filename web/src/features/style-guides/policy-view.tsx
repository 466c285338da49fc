import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { roles } from '../../../../src/api/permissions.ts'
import { gateLevels, guardrailLevels, type PolicySettings } from '../../../../src/api/style-guide-shapes.ts'
import { styleGuidesApi } from '../../../../src/api/style-guides.ts'
import { call } from '../../call.ts'
import { CommandHint, svcCommand } from '../../parts/copy.tsx'
import { Field, Form, RadioField, SelectField, useChange } from '../../parts/form.tsx'
import { Read } from '../../parts/listing.tsx'
import { Moment, Section, Toolbar } from '../../parts/page.tsx'
import { UnsavedGuard } from '../../parts/unsaved.tsx'
import { type Gates, type Policy, policyChange, policyOf } from './policy-change.ts'
import { useGuide } from './style-guide-page.tsx'
import { type GuideRef, guideParams, policyQuery, refreshGuides } from './queries.ts'

type Level = (typeof gateLevels)[number]
type GateId = Exclude<keyof Gates, 'minGrade' | 'failOn'>

/** The gates of a draft in the order of the readiness page, each with what it looks at. */
export const gateNames: Readonly<Record<GateId, { name: string; detail: string }>> = {
  'unresolved-refs': { name: 'Unresolved references', detail: 'A $ref leads nowhere.' },
  'lint-grade': { name: 'Lint grade', detail: 'The grade is worse than the least one that passes.' },
  'lint-findings': { name: 'Lint findings', detail: 'There is a finding of this severity or a worse one.' },
  'semver-consistent': { name: 'Semantic version', detail: 'The label promises less change than there is.' },
  compat: { name: 'Compatibility evidence', detail: 'The evidence of a second tool is missing or disagrees.' },
  'consumer-impact': { name: 'Consumer impact', detail: 'A registered consumer uses what breaks.' },
}

const levelWords: Record<Level, string> = { off: 'off', warn: 'warns', block: 'blocks' }
const guardrailOptions = [
  { value: 'off', name: 'Off', detail: 'Breaking changes are published like any other.' },
  { value: 'warn', name: 'Warn', detail: 'Publishing goes on, and says so.' },
  { value: 'approve', name: 'Approve', detail: 'Publishing waits for an approval.' },
  { value: 'block', name: 'Block', detail: 'Only an Owner or Admin publishes it, by force and with a reason.' },
] as const satisfies readonly { value: (typeof guardrailLevels)[number]; name: string; detail: string }[]

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

const GateRow = ({
  id,
  level,
  disabled,
  onChange,
  children,
}: {
  id: GateId
  level: Level
  disabled: boolean
  onChange: (level: Level) => void
  children?: ReactNode
}) => (
  <fieldset className="grid items-center gap-x-4 gap-y-1.5 px-4 py-2.5 sm:grid-cols-[minmax(0,1fr)_auto]">
    <legend className="sr-only">{gateNames[id].name}</legend>
    <div className="min-w-0">
      <p className="font-medium" aria-hidden="true">
        {gateNames[id].name}
      </p>
      <p className="text-sm text-soft">{gateNames[id].detail}</p>
      {children}
    </div>
    <div className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
      {gateLevels.map((it) => (
        <label key={it} className="flex items-baseline gap-1.5">
          <input type="radio" name={id} checked={level === it} disabled={disabled} onChange={() => onChange(it)} />
          {levelWords[it]}
        </label>
      ))}
    </div>
  </fieldset>
)

/** A small choice inside the line of a gate. */
const Threshold = <T extends string>({
  label,
  value,
  values,
  disabled,
  onChange,
}: {
  label: string
  value: T
  values: readonly T[]
  disabled: boolean
  onChange: (value: T) => void
}) => (
  <label className="mt-1 flex w-fit items-center gap-2 text-sm">
    {label}
    <select
      className="field w-auto py-0.5 text-sm"
      value={value}
      disabled={disabled}
      onChange={(event) => {
        const chosen = values.find((it) => it === event.target.value)
        if (chosen) onChange(chosen)
      }}
    >
      {values.map((it) => (
        <option key={it} value={it}>
          {it}
        </option>
      ))}
    </select>
  </label>
)

const GateRows = ({
  gates,
  disabled,
  onChange,
}: {
  gates: Gates
  disabled: boolean
  onChange: (changed: Partial<Gates>) => void
}) => (
  <div className="card divide-y">
    <p className="px-4 py-2.5 text-sm text-soft">
      A document that is not valid is never published: that gate has no level.
    </p>
    {(Object.keys(gateNames) as GateId[]).map((id) => (
      <GateRow key={id} id={id} level={gates[id]} disabled={disabled} onChange={(level) => onChange({ [id]: level })}>
        {id === 'lint-grade' && gates[id] !== 'off' ? (
          <Threshold
            label="Least grade"
            value={gates.minGrade}
            values={['A', 'B', 'C', 'D', 'F']}
            disabled={disabled}
            onChange={(minGrade) => onChange({ minGrade })}
          />
        ) : null}
        {id === 'lint-findings' && gates[id] !== 'off' ? (
          <Threshold
            label="From severity"
            value={gates.failOn}
            values={['error', 'warning', 'info']}
            disabled={disabled}
            onChange={(failOn) => onChange({ failOn })}
          />
        ) : null}
      </GateRow>
    ))}
  </div>
)

const Approval = ({ policy, onChange }: { policy: Policy; onChange: (changed: Partial<Policy>) => void }) => {
  const { required, minApprovals } = policy.approvalPolicy
  return (
    <div className="card grid gap-4 p-4 sm:grid-cols-2">
      <SelectField
        label="Approvals"
        hint="Whether publishing needs people who say yes."
        value={required ? 'yes' : 'no'}
        options={[
          { value: 'no', name: 'None needed' },
          { value: 'yes', name: 'Needed' },
        ]}
        onChange={(value) => onChange({ approvalPolicy: { required: value === 'yes', minApprovals } })}
      />
      <Field
        label="How many at least"
        hint="Counts where approvals are needed."
        type="number"
        min={1}
        max={20}
        step={1}
        required
        disabled={!required}
        value={minApprovals}
        onChange={(event) => onChange({ approvalPolicy: { required, minApprovals: event.target.valueAsNumber || 1 } })}
      />
      <SelectField
        label="Role of reviewers"
        hint="No role in particular clears what was set before."
        value={policy.requiredReviewerRole ?? ''}
        options={[
          { value: '', name: 'No role in particular' },
          ...roles.map((it) => ({ value: it, name: capital(it) })),
        ]}
        onChange={(value) => onChange({ requiredReviewerRole: roles.find((it) => it === value) ?? null })}
      />
    </div>
  )
}

const PolicyForm = ({ at, saved, own }: { at: GuideRef; saved: PolicySettings; own: boolean }) => {
  const [policy, setPolicy] = useState<Policy>(policyOf(saved))
  const body = policyChange(policyOf(saved), policy)
  const unsaved = Object.keys(body).length > 0
  const change = useChange(async () => {
    const next = await call(styleGuidesApi.putPolicy, { params: guideParams(at), body })
    setPolicy(policyOf(next))
    await refreshGuides(at.tenant)
  })
  const set = (changed: Partial<Policy>): void => setPolicy((before) => ({ ...before, ...changed }))
  return (
    <fieldset disabled={!own} className="contents">
      <UnsavedGuard unsaved={unsaved} what="this policy" />
      <Form
        change={change}
        submit="Save the policy"
        disabled={!own || !unsaved}
        {...(unsaved ? { onCancel: () => setPolicy(policyOf(saved)), cancel: 'Discard' } : {})}
        note={
          <span role="status" className="text-sm text-soft">
            {unsaved ? (
              'not saved yet'
            ) : saved.updatedAt ? (
              <>
                saved <Moment at={saved.updatedAt} exact />
              </>
            ) : (
              'as every guide begins'
            )}
          </span>
        }
      >
        <Section title="Gates of publishing" description="What each does where its condition is missed.">
          <GateRows
            gates={policy.policyGates}
            disabled={!own}
            onChange={(changed) => set({ policyGates: { ...policy.policyGates, ...changed } })}
          />
        </Section>
        <Section title="Breaking changes">
          <RadioField
            legend="When a publication breaks what is published"
            value={policy.breakingPublishGuardrail}
            options={guardrailOptions}
            onChange={(breakingPublishGuardrail) => set({ breakingPublishGuardrail })}
          />
        </Section>
        <Section title="Approval">
          <Approval policy={policy} onChange={set} />
        </Section>
      </Form>
    </fieldset>
  )
}

/** What publishing under a guide asks for. Only what was changed is sent. */
export const PolicyView = ({ at }: { at: GuideRef }) => {
  const policy = useQuery(policyQuery(at))
  const { guide, own } = useGuide(at)
  return (
    <section aria-label="Policy" className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <Toolbar>
        <p className="flex-1 basis-72 text-sm text-pretty text-soft">
          It decides over drafts of every project that the guide applies to.
        </p>
        <CommandHint command={svcCommand(at.tenant, ['style-guide', 'policy', guide.data?.name ?? at.guide])} />
      </Toolbar>
      <Read query={policy} what="the policy">
        {(saved) => <PolicyForm key={at.guide} at={at} saved={saved} own={own} />}
      </Read>
    </section>
  )
}
