import { useMutation, useQuery } from '@tanstack/react-query'
import { useId, useState, type ReactNode } from 'react'
import type { MigrationPlan, MigrationProposal } from '../../../../src/api/migration-plans.ts'
import { adoptPlan, savePlan, type VersionPair } from './queries.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { count } from '../../parts/count.ts'
import { Moment } from '../../parts/page.tsx'
import { Failure, needs } from '../../parts/states.tsx'
import { UnsavedGuard } from '../../parts/unsaved.tsx'
import { holds, identityQuery } from '../../session.ts'
import {
  isSameRules,
  kindNames,
  propertyOfKey,
  readRule,
  type Rule,
  ruleKey,
  type RuleKind,
  type Rules,
} from './rules.ts'
import { TryRules } from './try-section.tsx'

type Properties = ReadonlyMap<string, string>

const kinds = Object.keys(kindNames) as RuleKind[]

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
      {targets.map((it) => (
        <span key={it} className="inline-flex min-w-0 items-center gap-1 rounded bg-raised pl-1.5">
          <code className="font-mono text-xs break-all">{it}</code>
          {after.has(it) ? null : <Badge tone="warn">not found</Badge>}
          <button
            type="button"
            className="inline-flex size-6 items-center justify-center rounded text-soft hover:text-ink"
            aria-label={`Remove ${it} from ${source}`}
            onClick={() => onChange(targets.filter((one) => one !== it))}
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
          <option value="">{targets.length === 0 ? 'Choose …' : rule.kind === 'split' ? 'Add …' : 'Another …'}</option>
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
        className="field w-auto"
        aria-label={`What becomes of ${name}`}
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
      {rule.kind === 'drop' ? null : rule.kind === 'type-change' ? (
        <span className="text-soft">
          from {rule.source_type} to {rule.target_type ?? after.get(name) ?? 'any'}
        </span>
      ) : (
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

interface Row {
  readonly name: string
  readonly rule: Rule | null
  readonly proposal: MigrationProposal | null
}

const PropertyRow = ({
  row,
  before,
  after,
  may,
  set,
  onReject,
}: {
  row: Row
  before: Properties
  after: Properties
  may: boolean
  /** Writes the rule of the property, or takes it away. */
  set: (property: string, rule: Rule | null) => void
  onReject: (property: string) => void
}) => {
  const { name, rule, proposal } = row
  const kept = after.has(name)
  const begin = (): Rule => ({
    kind: kept ? 'type-change' : 'drop',
    source_property: name,
    target_properties: kept ? [name] : [],
    source_type: before.get(name) ?? 'any',
    target_type: kept ? (after.get(name) ?? null) : null,
  })
  return (
    <li className="grid gap-x-4 gap-y-2 px-4 py-3 sm:grid-cols-[11rem_minmax(0,1fr)]">
      <div className="flex flex-wrap items-start justify-between gap-2">
        <Type name={name} type={before.get(name)} gone="not in the older schema" />
        {kept ? null : <Badge>removed</Badge>}
      </div>
      <div className="grid min-w-0 gap-2">
        {rule !== null && may ? (
          <EditedRule rule={rule} after={after} onChange={(next) => set(name, next)} onRemove={() => set(name, null)} />
        ) : rule !== null ? (
          <p className="text-sm">{words(rule)}</p>
        ) : proposal !== null ? (
          <Proposed
            proposal={proposal}
            may={may}
            onAccept={() => set(name, { ...proposal.rule })}
            onReject={() => onReject(name)}
          />
        ) : may ? (
          <div>
            <Button look="quiet" onClick={() => set(name, begin())}>
              Add a rule<span className="sr-only"> for {name}</span>
            </Button>
          </div>
        ) : (
          <p className="text-sm text-soft">No rule</p>
        )}
      </div>
    </li>
  )
}

/** A property that stays, has no rule, and of which nothing is proposed. */
const isQuiet = ({ name, rule, proposal }: Row, before: Properties, after: Properties): boolean =>
  rule === null && proposal === null && after.get(name) === before.get(name)

/** The properties of a class, old and new, and what becomes of each: proposals to accept, rules to write, all saved at once. */
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
  const [rules, setRules] = useState<Rules>(plan.rules)
  const [rejected, setRejected] = useState<ReadonlySet<string>>(new Set())
  const [before, after] = [older ?? new Map<string, string>(), newer ?? new Map<string, string>()]
  const change = useMutation({
    scope: { id: useId() },
    mutationFn: async (sent: Rules) => {
      const saved = await savePlan(pair, plan.class_name, sent)
      // What was changed while it was saved stays, and stays unsaved.
      setRules((now) => (now === sent ? saved.rules : now))
      await adoptPlan(pair, saved)
    },
  })
  const set = (property: string, rule: Rule | null): void =>
    setRules((now) => {
      const others = Object.entries(now).filter(([key]) => key !== ruleKey(property))
      // What others wrote beside what this page knows stays in the rule.
      return Object.fromEntries(
        rule === null ? others : [...others, [ruleKey(property), { ...now[ruleKey(property)], ...rule }]],
      )
    })
  const unsaved = !isSameRules(rules, plan.rules)
  const open = proposals.filter(({ key, rule }) => rules[key] === undefined && !rejected.has(rule.source_property))
  const names = new Set([...before.keys(), ...Object.keys(rules).map(propertyOfKey)])
  const rows = [...names].map((name): Row => {
    const rule = rules[ruleKey(name)]
    return {
      name,
      rule: rule === undefined ? null : readRule(ruleKey(name), rule),
      proposal: open.find((it) => it.rule.source_property === name) ?? null,
    }
  })
  const loud = rows.filter((it) => !isQuiet(it, before, after))
  const quiet = rows.filter((it) => isQuiet(it, before, after))
  const fresh = [...after.keys()].filter((it) => !before.has(it))
  const list = (items: readonly Row[]) => (
    <ul className="divide-y">
      {items.map((row) => (
        <PropertyRow
          key={row.name}
          row={row}
          before={before}
          after={after}
          may={may}
          set={set}
          onReject={(name) => setRejected(new Set([...rejected, name]))}
        />
      ))}
    </ul>
  )
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <UnsavedGuard unsaved={unsaved} what="these rules" />
      {older === null || newer === null ? (
        <p className="text-warn">
          {older === null ? `This schema was added in ${pair.to}.` : `This schema was removed in ${pair.to}.`}
        </p>
      ) : null}
      {identity.data && !may ? (
        <p className="text-sm text-soft">{needs('versions:edit', 'Editing migration rules')}</p>
      ) : null}
      {may && open.length > 0 ? (
        <div className="flex flex-wrap items-center gap-3 text-sm">
          {count(open.length, 'proposal to review', 'proposals to review')}.
          <Button onClick={() => open.forEach(({ rule }) => set(rule.source_property, { ...rule }))}>Accept all</Button>
        </div>
      ) : null}
      {rejected.size > 0 ? (
        <p className="flex flex-wrap items-center gap-3 text-sm text-soft">
          {count(rejected.size, 'proposal', 'proposals')} rejected.
          <button type="button" className="link" onClick={() => setRejected(new Set())}>
            Show again
          </button>
        </p>
      ) : null}
      {loud.length === 0 ? (
        <p className="card px-4 py-6 text-center text-soft">
          {before.size === 0 ? 'This schema has no properties.' : 'No property changes, so no rules are needed.'}
        </p>
      ) : (
        <div className="card">{list(loud)}</div>
      )}
      {fresh.length === 0 ? null : (
        <p className="flex flex-wrap items-center gap-1.5 text-sm text-soft">
          New in {pair.to}:
          {fresh.map((it) => (
            <code key={it} className="rounded bg-ok-wash px-1.5 font-mono text-xs break-all text-ok">
              {it}: {after.get(it)}
            </code>
          ))}
        </p>
      )}
      {quiet.length === 0 ? null : (
        <details className="card">
          <summary className="cursor-pointer px-4 py-2.5 text-sm">
            {count(quiet.length, 'unchanged property', 'unchanged properties')}
          </summary>
          <div className="border-t">{list(quiet)}</div>
        </details>
      )}
      {older === null || newer === null || loud.length === 0 ? null : (
        <TryRules rules={rules} before={before} after={after} />
      )}
      {change.error ? <Failure error={change.error} /> : null}
      {may ? (
        <div className={unsaved ? 'save-bar' : 'flex flex-wrap items-center gap-3'}>
          <Button look="primary" busy={change.isPending} disabled={!unsaved} onClick={() => change.mutate(rules)}>
            Save rules
          </Button>
          {unsaved ? <Button onClick={() => setRules(plan.rules)}>Undo</Button> : null}
          <span role="status" className="text-sm text-soft">
            {unsaved ? (
              'Unsaved changes'
            ) : plan.updated_at === null ? (
              'No rules saved'
            ) : (
              <>
                Saved <Moment at={plan.updated_at} />
              </>
            )}
          </span>
        </div>
      ) : null}
    </div>
  )
}
