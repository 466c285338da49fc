import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { gatewayApi } from '../../../../../src/api/gateway.ts'
import type { RulePreviewRequest, SecurityRule } from '../../../../../src/api/gateway-shapes.ts'
import { type GroupId, managedGroups, type RuleAction } from '../../../../../src/gateway-policy/door.ts'
import { call } from '../../../call.ts'
import { Button } from '../../../parts/button.tsx'
import { count } from '../../../parts/text.ts'
import { CheckField, Field, SelectField, TextField } from '../../../parts/form.tsx'
import { Section } from '../../../parts/page.tsx'
import { Failure } from '../../../parts/states.tsx'
import { type EnvironmentAt, environmentInput } from '../queries.ts'
import { type Draft, draftOf, withRows, withText } from './builder.ts'
import { actionOptions } from './words.ts'
import { ChangePreview, isConflict, Refusals, useWrite, WriteFailure } from './write.tsx'
import { GroupEditor } from './builder-view.tsx'

/** The same expression twice: as rows and as text. Each follows the other. */
const ExpressionEditor = ({
  draft,
  isTouched,
  onChange,
}: {
  draft: Draft
  isTouched: boolean
  onChange: (draft: Draft) => void
}) => {
  const id = useId()
  const { text, rows, isBehind } = draft
  // What nobody wrote yet is not wrong.
  const problem = isTouched ? draft.problem : null
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <fieldset disabled={isBehind} className="card min-w-0 p-3">
        <legend className="px-1 text-sm font-medium">Builder</legend>
        <GroupEditor row={rows} place="Whole expression" onRemove={null} onChange={(it) => onChange(withRows(it))} />
      </fieldset>
      <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-1">
        <label htmlFor={id} className="text-sm font-medium">
          Expression
        </label>
        <textarea
          id={id}
          rows={Math.min(Math.max(5, text.split('\n').length + 1), 16)}
          className="field font-mono text-sm"
          spellCheck={false}
          aria-invalid={problem === null ? undefined : true}
          aria-describedby={`${id}-state`}
          value={text}
          onChange={(event) => onChange(withText(draft, event.target.value))}
        />
        <div id={`${id}-state`} aria-live="polite" className="grid gap-2 text-sm">
          {problem === null ? (
            <p className="text-soft">The builder shows the same expression. Line ends are spaces.</p>
          ) : (
            <p className="wrap-anywhere text-danger">
              Line {problem.line}, column {problem.column}: {problem.reason}.
            </p>
          )}
          {isBehind ? (
            <div className="grid justify-items-start gap-2 text-soft">
              <p>The builder shows the last expression that could be read. It follows when the text is correct.</p>
              <Button onClick={() => onChange(withRows(rows))}>Discard the text since then</Button>
            </div>
          ) : null}
        </div>
      </div>
    </div>
  )
}

interface Values {
  readonly name: string
  readonly action: RuleAction
  readonly reason: string
  readonly status: string
  readonly groups: readonly GroupId[]
  readonly limit: string
  readonly windowSeconds: string
  readonly key: string
}

const valuesOf = (rule: SecurityRule | null): Values => ({
  name: rule?.name ?? '',
  action: rule?.action ?? 'block',
  reason: rule?.reason ?? '',
  status: rule?.status ? String(rule.status) : '',
  groups: rule?.groups ?? [],
  limit: String(rule?.rate?.limit ?? 100),
  windowSeconds: String(rule?.rate?.windowSeconds ?? 60),
  key: rule?.rate?.key ?? 'ip',
})

/** What the service is sent; what the action has no use for is left out. */
const bodyOf = ({ name, action, reason, status, groups, limit, windowSeconds, key }: Values, text: string) => ({
  name: name.trim(),
  action,
  reason: reason.trim(),
  expressionText: text,
  status: status === '' ? null : Number(status),
  ...(action === 'skip' ? { groups: [...groups] } : {}),
  ...(action === 'rate-limit'
    ? { rate: { limit: Number(limit), windowSeconds: Number(windowSeconds), key: key.trim() } }
    : {}),
})
type Body = ReturnType<typeof bodyOf>

const GroupChoice = ({ chosen, onChange }: { chosen: readonly GroupId[]; onChange: (ids: GroupId[]) => void }) => (
  <fieldset className="grid gap-1.5">
    <legend className="mb-1 text-sm font-medium">Groups that are skipped</legend>
    <div className="grid gap-x-6 gap-y-1 sm:grid-cols-2 lg:grid-cols-3">
      {managedGroups.map(({ id, title }) => (
        <CheckField
          key={id}
          checked={chosen.includes(id)}
          onChange={(on) => onChange(on ? [...chosen, id] : chosen.filter((it) => it !== id))}
        >
          {title}
        </CheckField>
      ))}
    </div>
  </fieldset>
)

const ActionFields = ({ values, set }: { values: Values; set: (changed: Partial<Values>) => void }) => {
  const text = (name: 'limit' | 'windowSeconds' | 'key' | 'status') => ({
    value: values[name],
    onChange: (event: { target: { value: string } }) => set({ [name]: event.target.value }),
  })
  const isRefusal = values.action === 'block' || values.action === 'rate-limit'
  return (
    <>
      {values.action === 'skip' ? <GroupChoice chosen={values.groups} onChange={(groups) => set({ groups })} /> : null}
      <div className="grid items-start gap-4 sm:grid-cols-2 lg:grid-cols-4">
        {values.action === 'rate-limit' ? (
          <>
            <Field label="Requests" type="number" min={1} max={1_000_000} required {...text('limit')} />
            <Field label="In seconds" type="number" min={1} max={3600} required {...text('windowSeconds')} />
            <Field label="Counted by" hint="ip, or header:NAME." required spellCheck={false} {...text('key')} />
          </>
        ) : null}
        {isRefusal ? (
          <Field
            label="Status (optional)"
            type="number"
            min={400}
            max={599}
            placeholder={values.action === 'block' ? '403' : '429'}
            {...text('status')}
          />
        ) : null}
      </div>
    </>
  )
}

/** What the form holds, and what was previewed of it. */
const useRuleForm = (at: EnvironmentAt, rule: SecurityRule | null, policyVersion: number, onClose: () => void) => {
  const [values, setValues] = useState(() => valuesOf(rule))
  const [draft, setDraft] = useState(() => draftOf(rule?.expressionText ?? ''))
  const [isTouched, setIsTouched] = useState(rule !== null)
  const preview = useMutation({
    mutationFn: async (body: Body) => {
      const sent: RulePreviewRequest = { ...body, ...(rule === null ? {} : { ruleId: rule.id }) }
      const found = await call(gatewayApi.previewRule, { ...environmentInput(at), body: sent })
      return { body: JSON.stringify(body), policyVersion, found }
    },
    scope: { id: useId() },
  })
  const write = useWrite(at, preview.data?.policyVersion ?? policyVersion, onClose)
  const body = bodyOf(values, draft.text)
  // Another rule is another preview, as is one on another policy: what is saved is what was looked at.
  const isCurrent = preview.data?.body === JSON.stringify(body) && !isConflict(write.error)
  const previewed = isCurrent ? (preview.data?.found ?? null) : null
  const save = () =>
    write.write((controls) => {
      const input = environmentInput(at)
      return rule === null
        ? call(gatewayApi.createRule, { ...input, body: { ...body, ...controls } })
        : call(gatewayApi.updateRule, {
            ...input,
            params: { ...input.params, rule_id: rule.id },
            body: { ...body, ...controls },
          })
    })
  const forget = () => {
    write.reset()
    preview.reset()
  }
  return {
    values,
    draft,
    write,
    preview,
    previewed,
    submit: () => {
      if (previewed !== null) return save()
      write.reset()
      preview.mutate(body)
    },
    set: (changed: Partial<Values>) => {
      forget()
      setValues((before) => ({ ...before, ...changed }))
    },
    isTouched,
    setDraft: (next: typeof draft) => {
      forget()
      setIsTouched(true)
      setDraft(next)
    },
  }
}

/** How many recorded requests meet the expression. */
const Met = ({ of: { yes, no, unknown } }: { of: Readonly<Record<'yes' | 'no' | 'unknown', number>> }) =>
  yes + no + unknown === 0 ? null : (
    <p className="text-sm">
      {yes.toLocaleString()} of {count(yes + no + unknown, 'recorded request meets', 'recorded requests meet')} the
      expression{unknown === 0 ? '' : `; of ${unknown.toLocaleString()} too little was recorded`}.
    </p>
  )

/** A rule with its expression in the builder and as text; it is previewed before it is saved. */
export const RuleForm = ({
  at,
  rule,
  policyVersion,
  onClose,
}: {
  at: EnvironmentAt
  /** Null for a new one. */
  rule: SecurityRule | null
  policyVersion: number
  onClose: () => void
}) => {
  const { values, draft, isTouched, set, setDraft, write, preview, previewed, submit } = useRuleForm(
    at,
    rule,
    policyVersion,
    onClose,
  )
  const isUnsafe = previewed !== null && previewed.refusals.length > 0
  return (
    <Section title={rule === null ? 'Add a rule' : `Edit ${rule.name}`}>
      <form
        className="grid grid-cols-[minmax(0,1fr)] gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (!write.isPending && !preview.isPending) submit()
        }}
      >
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <Field
            label="Name"
            required
            maxLength={200}
            value={values.name}
            onChange={(event) => set({ name: event.target.value })}
          />
          <SelectField
            label="Action"
            value={values.action}
            options={actionOptions}
            onChange={(action) => set({ action })}
          />
        </div>
        <ExpressionEditor draft={draft} isTouched={isTouched} onChange={setDraft} />
        <ActionFields values={values} set={set} />
        <TextField
          label="Reason (optional)"
          hint="Why this rule exists. The audit trail keeps it."
          rows={2}
          maxLength={1000}
          value={values.reason}
          onChange={(event) => set({ reason: event.target.value })}
        />
        {preview.error ? <Failure error={preview.error} /> : null}
        {previewed === null ? null : (
          <>
            {isUnsafe ? <Refusals refusals={previewed.refusals} /> : null}
            {previewed.warnings.map((it) => (
              <p key={it} className="text-warn">
                {it}
              </p>
            ))}
            {isUnsafe ? null : <Met of={previewed.matching} />}
            {isUnsafe ? null : <ChangePreview {...previewed} write={write} />}
          </>
        )}
        <WriteFailure at={at} write={write} />
        <div className="flex flex-wrap items-center gap-3">
          <Button
            type="submit"
            look="primary"
            busy={write.isPending || preview.isPending}
            disabled={draft.problem !== null || isUnsafe}
          >
            {previewed === null || isUnsafe ? 'Preview' : 'Save'}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
          {draft.problem === null ? null : <p className="text-sm text-soft">Complete the expression first.</p>}
          {isUnsafe ? <p className="text-sm text-soft">Correct the rule, then preview it again.</p> : null}
        </div>
      </form>
    </Section>
  )
}
