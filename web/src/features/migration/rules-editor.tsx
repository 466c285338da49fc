import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useReducer } from 'react'
import type { MigrationPlan, MigrationProposal } from '../../../../src/api/migration-plans.ts'
import { adoptPlan, savePlan, type VersionPair } from './queries.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { count } from '../../parts/text.ts'
import { Moment } from '../../parts/page.tsx'
import { Failure, needs } from '../../parts/states.tsx'
import { UnsavedGuard } from '../../parts/dialog.tsx'
import { holds, identityQuery } from '../../session.ts'
import { isSameRules, kindNames, type Rule, type RuleKind, type Rules } from './rules.ts'
import {
  newRule,
  type Properties,
  type PropertyRules,
  type RulesAction,
  rulesReducer,
  type RulesState,
  viewRules,
} from './rules-state.ts'
import { ProposalBar } from './proposal-bar.tsx'
import { TryRules } from './try-section.tsx'

const kinds = Object.keys(kindNames) as RuleKind[]

const promptOf = ({ kind, target_properties: targets }: Rule): string => {
  if (targets.length === 0) return 'Choose …'
  return kind === 'split' ? 'Add …' : 'Another …'
}

/** The targets of a rule: each can be taken away, others of the newer class added. */
const Targets = ({
  rule,
  after,
  onChange,
}: {
  rule: Rule
  after: Properties
  onChange: (targets: string[]) => void
}) => {
  const { target_properties: targets, source_property: source } = rule
  const free = [...after.keys()].filter((it) => !targets.includes(it))
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-1.5">
      {targets.map((target) => (
        <span key={target} className="inline-flex min-w-0 items-center gap-1 rounded bg-raised pl-1.5">
          <code className="font-mono text-xs break-all">{target}</code>
          {after.has(target) ? null : <Badge tone="warn">not found</Badge>}
          <button
            type="button"
            className="inline-flex size-6 items-center justify-center rounded text-soft hover:text-ink"
            aria-label={`Remove ${target} from ${source}`}
            onClick={() => onChange(targets.filter((one) => one !== target))}
          >
            ×
          </button>
        </span>
      ))}
      {free.length === 0 ? null : (
        <select
          className="field w-auto max-w-44 text-sm"
          aria-label={`Add a target of ${source}`}
          value=""
          onChange={(event) =>
            onChange(rule.kind === 'split' ? [...targets, event.target.value] : [event.target.value])
          }
        >
          <option value="">{promptOf(rule)}</option>
          {free.map((it) => (
            <option key={it} value={it}>
              {it} ({after.get(it)})
            </option>
          ))}
        </select>
      )}
    </span>
  )
}

const words = (rule: Rule): ReactNode => (
  <>
    {kindNames[rule.kind]}
    {rule.kind === 'type-change' ? ` from ${rule.source_type} to ${rule.target_type ?? 'any'}` : ''}
    {rule.kind === 'drop' || rule.kind === 'type-change'
      ? null
      : rule.target_properties.map((it) => (
          <code key={it} className="ml-1.5 rounded bg-raised px-1.5 font-mono text-xs break-all">
            {it}
          </code>
        ))}
  </>
)

const Proposed = ({
  proposal,
  may,
  onAccept,
  onReject,
}: {
  proposal: MigrationProposal
  may: boolean
  onAccept: () => void
  onReject: () => void
}) => {
  const name = proposal.rule.source_property
  return (
    <div className="grid gap-1.5 rounded-lg border border-dashed border-edge p-2.5 text-sm">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Badge tone="info">proposed, {Math.round(proposal.confidence * 100)} % sure</Badge>
        <span>{words(proposal.rule)}</span>
      </p>
      <p className="break-words text-soft">{proposal.reason}</p>
      {may ? (
        <p className="flex flex-wrap gap-2">
          <Button onClick={onAccept}>
            Accept<span className="sr-only"> the proposal for {name}</span>
          </Button>
          <Button look="quiet" onClick={onReject}>
            Reject<span className="sr-only"> the proposal for {name}</span>
          </Button>
        </p>
      ) : null}
    </div>
  )
}

const EditedRule = ({
  rule,
  after,
  onChange,
  onRemove,
}: {
  rule: Rule
  after: Properties
  onChange: (rule: Rule) => void
  onRemove: () => void
}) => {
  const name = rule.source_property
  const retarget = (kind: RuleKind, targets: readonly string[]): Rule => ({
    ...rule,
    kind,
    target_properties: kind === 'drop' ? [] : [...targets],
    target_type: kind === 'drop' || targets[0] === undefined ? null : (after.get(targets[0]) ?? rule.target_type),
  })
  return (
    <div className="flex flex-wrap items-center gap-2 text-sm">
      <select
        className="field w-auto max-w-72 min-w-0"
        aria-label={`Rule for ${name}`}
        value={rule.kind}
        onChange={(event) => {
          const kind = kinds.find((it) => it === event.target.value) ?? rule.kind
          const targets = kind === 'type-change' && after.has(name) ? [name] : rule.target_properties
          onChange(retarget(kind, kind === 'split' ? targets : targets.slice(0, 1)))
        }}
      >
        {kinds.map((it) => (
          <option key={it} value={it}>
            {kindNames[it]}
          </option>
        ))}
      </select>
      {rule.kind === 'type-change' ? (
        <span className="text-soft">
          from {rule.source_type} to {rule.target_type ?? after.get(name) ?? 'any'}
        </span>
      ) : null}
      {rule.kind === 'drop' || rule.kind === 'type-change' ? null : (
        <Targets rule={rule} after={after} onChange={(targets) => onChange(retarget(rule.kind, targets))} />
      )}
      <Button look="quiet" onClick={onRemove}>
        Remove<span className="sr-only"> the rule of {name}</span>
      </Button>
    </div>
  )
}

const Type = ({ name, type, gone }: { name: string; type: string | undefined; gone?: string }) => (
  <span className="grid min-w-0">
    <code className="font-mono text-sm font-medium break-all">{name}</code>
    <span className="text-xs break-words text-soft">{type ?? gone}</span>
  </span>
)

interface Classes {
  readonly before: Properties
  readonly after: Properties
  /** Whether the person may edit rules. */
  readonly may: boolean
  readonly dispatch: (action: RulesAction) => void
}

const PropertyRule = ({
  property: { name, rule, proposal },
  classes: { before, after, may, dispatch },
}: {
  property: PropertyRules
  classes: Classes
}) => {
  const set = (next: Rule | null): void => dispatch({ kind: 'set', property: name, rule: next })
  if (rule !== null)
    return may ? (
      <EditedRule rule={rule} after={after} onChange={set} onRemove={() => set(null)} />
    ) : (
      <p className="text-sm">{words(rule)}</p>
    )
  if (proposal !== null)
    return (
      <Proposed
        proposal={proposal}
        may={may}
        onAccept={() => dispatch({ kind: 'accept', proposals: [proposal] })}
        onReject={() => dispatch({ kind: 'reject', property: name })}
      />
    )
  if (!may) return <p className="text-sm text-soft">No rule</p>
  return (
    <div>
      <Button look="quiet" onClick={() => set(newRule(name, before, after))}>
        Add a rule<span className="sr-only"> for {name}</span>
      </Button>
    </div>
  )
}

const PropertyList = ({ properties, classes }: { properties: readonly PropertyRules[]; classes: Classes }) => (
  <ul className="divide-y">
    {properties.map((property) => (
      <li key={property.name} className="grid gap-x-4 gap-y-2 px-4 py-3 sm:grid-cols-[11rem_minmax(0,1fr)]">
        <div className="flex flex-wrap items-start justify-between gap-2">
          <Type name={property.name} type={classes.before.get(property.name)} gone="not in the older schema" />
          {classes.after.has(property.name) ? null : <Badge>removed</Badge>}
        </div>
        <div className="grid min-w-0 gap-2">
          <PropertyRule property={property} classes={classes} />
        </div>
      </li>
    ))}
  </ul>
)

const SaveStatus = ({ unsaved, savedAt }: { unsaved: boolean; savedAt: string | null }) => {
  if (unsaved) return 'Unsaved changes'
  if (savedAt === null) return 'No rules saved'
  return (
    <>
      Saved <Moment at={savedAt} />
    </>
  )
}

/** Writes the rules of a class; `sent` comes back as the service saved it. */
const useSave = (pair: VersionPair, className: string, dispatch: (action: RulesAction) => void) =>
  useMutation({
    scope: { id: useId() },
    mutationFn: async (sent: Rules) => {
      const saved = await savePlan(pair, className, sent)
      dispatch({ kind: 'saved', sent, rules: saved.rules })
      await adoptPlan(pair, saved)
    },
  })

const SaveBar = ({
  plan,
  pair,
  rules,
  unsaved,
  dispatch,
}: {
  plan: MigrationPlan
  pair: VersionPair
  rules: Rules
  unsaved: boolean
  dispatch: (action: RulesAction) => void
}) => {
  const save = useSave(pair, plan.class_name, dispatch)
  return (
    <>
      {save.error ? <Failure error={save.error} /> : null}
      <div className={unsaved ? 'save-bar' : 'flex flex-wrap items-center gap-3'}>
        <Button look="primary" busy={save.isPending} disabled={!unsaved} onClick={() => save.mutate(rules)}>
          Save rules
        </Button>
        {unsaved ? <Button onClick={() => dispatch({ kind: 'undo', rules: plan.rules })}>Undo</Button> : null}
        <span role="status" className="text-sm text-soft">
          <SaveStatus unsaved={unsaved} savedAt={plan.updated_at} />
        </span>
      </div>
    </>
  )
}

const Added = ({ version, names, after }: { version: string; names: readonly string[]; after: Properties }) =>
  names.length === 0 ? null : (
    <p className="flex flex-wrap items-center gap-1.5 text-sm text-soft">
      New in {version}:
      {names.map((name) => (
        <code key={name} className="rounded bg-ok-wash px-1.5 font-mono text-xs break-all text-ok">
          {name}: {after.get(name)}
        </code>
      ))}
    </p>
  )

const noProperties: Properties = new Map()

/** The properties of a class, old and new, with the rule of each: proposals to accept, rules to write, all saved at once. */
export const RulesEditor = ({
  pair,
  plan,
  before: older,
  after: newer,
  proposals,
}: {
  pair: VersionPair
  plan: MigrationPlan
  /** Null where that version has no such class. */
  before: Properties | null
  after: Properties | null
  proposals: readonly MigrationProposal[]
}) => {
  const identity = useQuery(identityQuery)
  const may = holds(identity.data, pair.tenant, 'versions:edit')
  const [state, dispatch] = useReducer(rulesReducer, plan.rules, (rules): RulesState => ({
    rules,
    rejected: new Set(),
  }))
  const [before, after] = [older ?? noProperties, newer ?? noProperties]
  const { open, needsDecision, unchanged, added } = viewRules(state, proposals, before, after)
  const unsaved = !isSameRules(state.rules, plan.rules)
  const classes: Classes = { before, after, may, dispatch }
  const isInBoth = older !== null && newer !== null
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <UnsavedGuard unsaved={unsaved} what="these rules" />
      {isInBoth ? null : (
        <p className="text-warn">
          {older === null ? `This schema was added in ${pair.to}.` : `This schema was removed in ${pair.to}.`}
        </p>
      )}
      {identity.data && !may ? (
        <p className="text-sm text-soft">{needs('versions:edit', 'Editing migration rules')}</p>
      ) : null}
      <ProposalBar open={open} rejected={state.rejected.size} may={may} dispatch={dispatch} />
      {needsDecision.length === 0 ? (
        <p className="card px-4 py-6 text-center text-soft">
          {before.size === 0 ? 'This schema has no properties.' : 'No property changes, so no rules are needed.'}
        </p>
      ) : (
        <div className="card">
          <PropertyList properties={needsDecision} classes={classes} />
        </div>
      )}
      <Added version={pair.to} names={added} after={after} />
      {unchanged.length === 0 ? null : (
        <details className="card">
          <summary className="cursor-pointer px-4 py-2.5 text-sm">
            {count(unchanged.length, 'unchanged property', 'unchanged properties')}
          </summary>
          <div className="border-t">
            <PropertyList properties={unchanged} classes={classes} />
          </div>
        </details>
      )}
      {isInBoth && needsDecision.length > 0 ? <TryRules rules={state.rules} before={before} after={after} /> : null}
      {may ? <SaveBar plan={plan} pair={pair} rules={state.rules} unsaved={unsaved} dispatch={dispatch} /> : null}
    </div>
  )
}
