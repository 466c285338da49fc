import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { gateLevels, guardrailLevels, type PolicySettings } from '../../../../src/api/style-guide-shapes.ts'
import { styleGuidesApi } from '../../../../src/api/style-guides.ts'
import { call } from '../../call.ts'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { UnsavedGuard } from '../../parts/dialog.tsx'
import { CheckField, Form, RadioField, SelectField } from '../../parts/form.tsx'
import { Read } from '../../parts/listing.tsx'
import { Moment, Section, Toolbar } from '../../parts/page.tsx'
import { type GateId, gateNames } from '../catalog/gates.tsx'
import { type Gates, type Policy, policyChange, policyOf } from './policy-change.ts'
import { useGuide } from './style-guide-page.tsx'
import { ReviewRules } from './review-rules.tsx'
import { guideParams, type GuideRef } from '../lint/queries.ts'
import { policyQuery, refreshGuides } from './queries.ts'

type Level = (typeof gateLevels)[number]

const levelWords: Record<Level, string> = { off: 'off', warn: 'warns', block: 'blocks' }
const guardrailOptions = [
  { value: 'off', name: 'Off', detail: 'Publish without a warning.' },
  { value: 'warn', name: 'Warn', detail: 'Publish with a warning.' },
  {
    value: 'approve',
    name: 'Approve',
    detail: 'Publish once enough reviewers have approved the draft.',
  },
  { value: 'block', name: 'Block', detail: 'Only an Owner or Admin can force publish, with a reason.' },
] as const satisfies readonly { value: (typeof guardrailLevels)[number]; name: string; detail: string }[]

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
    <div className="flex flex-wrap gap-x-4 gap-y-1 text-sm sm:grid sm:grid-cols-[repeat(3,5rem)] sm:gap-x-0">
      {gateLevels.map((choice) => (
        <label key={choice} className="flex items-baseline justify-center gap-1.5">
          <input
            type="radio"
            name={id}
            checked={level === choice}
            disabled={disabled}
            onChange={() => onChange(choice)}
          />
          {/* Where there is room the head of the column says it. */}
          <span className="sm:sr-only">{levelWords[choice]}</span>
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
    <div className="grid items-center gap-x-4 px-4 py-2 text-sm text-soft sm:grid-cols-[minmax(0,1fr)_auto]">
      <p>Invalid documents are never published.</p>
      <p aria-hidden="true" className="grid grid-cols-[repeat(3,5rem)] text-center text-xs max-sm:hidden">
        {gateLevels.map((level) => (
          <span key={level}>{levelWords[level]}</span>
        ))}
      </p>
    </div>
    {(Object.keys(gateNames) as GateId[]).map((id) => (
      <GateRow key={id} id={id} level={gates[id]} disabled={disabled} onChange={(level) => onChange({ [id]: level })}>
        {id === 'lint-grade' && gates[id] !== 'off' ? (
          <Threshold
            label="Minimum grade"
            value={gates.minGrade}
            values={['A', 'B', 'C', 'D', 'F']}
            disabled={disabled}
            onChange={(minGrade) => onChange({ minGrade })}
          />
        ) : null}
        {id === 'lint-findings' && gates[id] !== 'off' ? (
          <Threshold
            label="Minimum severity"
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

const survivalOptions = [
  { value: 'nothing', name: 'None', detail: 'An approval counts for the same content only.' },
  { value: 'docs-only', name: 'Documentation only', detail: 'Descriptions, examples and the like.' },
  { value: 'non-breaking', name: 'Everything that breaks no client' },
] as const

const roleOptions = [
  { value: '', name: 'Everyone who can decide reviews' },
  { value: 'editor', name: 'Editor or stronger' },
  { value: 'admin', name: 'Admin or Owner' },
  { value: 'owner', name: 'Owner' },
] as const

const counts = ['1', '2', '3', '4', '5'] as const

/** How many approvals publishing needs, of which role, and after which edits they still count. */
const Approvals = ({ policy, set }: { policy: Policy; set: (changed: Partial<Policy>) => void }) => {
  const { approvalPolicy, requiredReviewerRole, approvalsSurvive } = policy
  return (
    <Section title="Approvals" description="Members who created or edited a draft cannot approve it.">
      <div className="card grid gap-4 p-4">
        <CheckField
          checked={approvalPolicy.required}
          onChange={(required) => set({ approvalPolicy: { ...approvalPolicy, required } })}
        >
          Publishing needs approvals
        </CheckField>
        <div className="grid gap-4 sm:grid-cols-2">
          <SelectField
            label="How many approvals"
            value={String(approvalPolicy.minApprovals)}
            options={[...new Set([...counts, String(approvalPolicy.minApprovals)])].map((it) => ({
              value: it,
              name: it,
            }))}
            onChange={(it) => set({ approvalPolicy: { ...approvalPolicy, minApprovals: Number(it) } })}
          />
          <SelectField
            label="Whose approvals count"
            value={requiredReviewerRole === null || requiredReviewerRole === 'viewer' ? '' : requiredReviewerRole}
            options={roleOptions}
            onChange={(it) => set({ requiredReviewerRole: it === '' ? null : it })}
          />
        </div>
        <RadioField
          legend="Edits after which an approval still counts"
          value={approvalsSurvive}
          options={survivalOptions}
          onChange={(it) => set({ approvalsSurvive: it })}
        />
      </div>
    </Section>
  )
}

const PolicyForm = ({ at, saved, own }: { at: GuideRef; saved: PolicySettings; own: boolean }) => {
  const [policy, setPolicy] = useState<Policy>(policyOf(saved))
  const unsaved = Object.keys(policyChange(policyOf(saved), policy)).length > 0
  const { mutate, isPending, error } = useMutation({
    scope: { id: useId() },
    mutationFn: async (sent: Policy) => {
      const body = policyChange(policyOf(saved), sent)
      const next = await call(styleGuidesApi.putPolicy, { params: guideParams(at), body })
      // What was changed while it was saved stays, and stays unsaved.
      setPolicy((now) => (now === sent ? policyOf(next) : now))
      await refreshGuides(at.tenant)
    },
  })
  const set = (changed: Partial<Policy>): void => setPolicy((before) => ({ ...before, ...changed }))
  return (
    <fieldset disabled={!own} className="contents">
      <UnsavedGuard unsaved={unsaved} what="this policy" />
      <Form
        change={{ mutate: () => mutate(policy), isPending, error }}
        bar={unsaved}
        submit="Save the policy"
        disabled={!own || !unsaved}
        {...(unsaved ? { onCancel: () => setPolicy(policyOf(saved)), cancel: 'Discard' } : {})}
        note={
          <span role="status" className="text-sm text-soft">
            {unsaved ? 'Unsaved changes' : null}
            {!unsaved && saved.updatedAt ? (
              <>
                Saved <Moment at={saved.updatedAt} />
              </>
            ) : null}
            {unsaved || saved.updatedAt ? null : 'Using the default policy'}
          </span>
        }
      >
        <Section title="Publishing gates" description="What happens when a check fails.">
          <GateRows
            gates={policy.policyGates}
            disabled={!own}
            onChange={(changed) => set({ policyGates: { ...policy.policyGates, ...changed } })}
          />
        </Section>
        <Section title="Breaking changes">
          <RadioField
            legend="If a release has breaking changes"
            value={policy.breakingPublishGuardrail}
            options={guardrailOptions}
            onChange={(breakingPublishGuardrail) => set({ breakingPublishGuardrail })}
          />
        </Section>
        <Approvals policy={policy} set={set} />
        <ReviewRules
          tenant={at.tenant}
          rules={policy.reviewRules}
          disabled={!own}
          onChange={(reviewRules) => set({ reviewRules })}
        />
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
        <p className="flex-1 basis-72 text-sm text-pretty text-soft">Applies to drafts in all assigned projects.</p>
        <CommandHint command={svcCommand(at.tenant, ['style-guide', 'policy', guide.data?.name ?? at.guide])} />
      </Toolbar>
      <Read query={policy} what="the policy">
        {(saved) => <PolicyForm key={at.guide} at={at} saved={saved} own={own} />}
      </Read>
    </section>
  )
}
