import { severities } from '../../../../src/api/lint-findings.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { StyleGuideRule } from '../../../../src/api/style-guide-shapes.ts'
import { styleGuidesApi } from '../../../../src/api/style-guides.ts'
import { call } from '../../call.ts'
import { useAddress } from '../../parts/address.ts'
import { Badge, Severity } from '../../parts/badge.tsx'
import { Choices, Switch } from '../../parts/choices.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { FilterSelect } from '../../parts/filter-chips.tsx'
import { List, Row } from '../../parts/list.tsx'
import { Read } from '../../parts/listing.tsx'
import { count } from '../../parts/text.ts'
import { Toolbar, Words } from '../../parts/page.tsx'
import { SearchField } from '../../parts/fields.tsx'
import { Failure, NoMatch } from '../../parts/states.tsx'
import { RuleName } from '../lint/finding-row.tsx'
import { useGuide } from './style-guide-page.tsx'
import { guideParams, type GuideRef, rulesQuery } from '../lint/queries.ts'
import { refreshGuides } from './queries.ts'
import { queryClient } from '../../query-client.ts'

type Level = (typeof severities)[number]

/** What of the rules is shown. */
export interface RuleFilter {
  readonly q: string
  readonly severity: string
  readonly format: string
  readonly state: string
}

const states: Readonly<Record<string, { name: string; holds: (rule: StyleGuideRule) => boolean }>> = {
  on: { name: 'on', holds: (it) => it.enabled },
  off: { name: 'off', holds: (it) => !it.enabled },
  changed: {
    name: 'changed',
    holds: (it) => it.severity !== it.defaultSeverity || it.enabled !== it.recommended,
  },
  custom: { name: 'custom', holds: (it) => it.origin === 'custom' },
}

/** The rules that match; rules without formats apply to every format. */
export const filterRules = (
  rules: readonly StyleGuideRule[],
  { q, severity, format, state }: RuleFilter,
): readonly StyleGuideRule[] => {
  const wanted = q.toLowerCase()
  const holds = states[state]?.holds ?? (() => true)
  return rules.filter(
    (it) =>
      (it.id.toLowerCase().includes(wanted) || (it.description ?? '').toLowerCase().includes(wanted)) &&
      (severity === '' || it.severity === severity) &&
      (format === '' || it.formats === null || it.formats.includes(format)) &&
      holds(it),
  )
}

type Setting = { readonly enabled?: boolean; readonly severity?: Level | null }

/**
 * Changes a rule: shown at once, and taken back where the service refuses it. Changes of one rule are sent in their
 * order, and what the service answers is shown only after the last of them.
 */
const useSetRule = (at: GuideRef, { id }: StyleGuideRule) => {
  const { queryKey } = rulesQuery(at)
  const mutationKey = ['set-rule', at.tenant, at.guide, id]
  const isLast = (): boolean => queryClient.isMutating({ mutationKey }) === 1
  const [error, setError] = useState<unknown>(null)
  const show = (change: (rule: StyleGuideRule) => StyleGuideRule): void => {
    queryClient.setQueryData(queryKey, (before) =>
      before ? { ...before, items: before.items.map((it) => (it.id === id ? change(it) : it)) } : before,
    )
  }
  const { mutate } = useMutation({
    mutationKey,
    scope: { id: mutationKey.join(' ') },
    mutationFn: (body: Setting) => call(styleGuidesApi.setRule, { params: { ...guideParams(at), rule_id: id }, body }),
    onMutate: (body) => {
      setError(null)
      show((rule) => ({
        ...rule,
        ...(body.enabled === undefined ? {} : { enabled: body.enabled }),
        ...(body.severity === undefined ? {} : { severity: body.severity ?? rule.defaultSeverity }),
      }))
    },
    onSuccess: (taken) => {
      if (isLast()) show(() => taken)
    },
    onError: setError,
    onSettled: () => {
      if (isLast()) void refreshGuides(at.tenant)
    },
  })
  return { mutate, error }
}

const RuleRow = ({ at, rule, own }: { at: GuideRef; rule: StyleGuideRule; own: boolean }) => {
  const change = useSetRule(at, rule)
  return (
    <>
      <Row>
        <div className={`flex min-w-0 items-center gap-x-2 max-md:w-full ${rule.enabled ? '' : 'text-soft'}`}>
          <h2 className="min-w-0 font-mono text-xs md:truncate">
            <RuleName code={rule.id} builtin={rule.origin === 'builtin'} documentation={rule.documentationUrl} />
          </h2>
          {rule.origin === 'custom' ? <Badge tone="accent">custom</Badge> : null}
          {rule.formats === null ? null : <span className="text-xs text-soft">{rule.formats.join(', ')}</span>}
        </div>
        <p className="truncate text-soft max-md:w-full" title={rule.description ?? undefined}>
          {rule.description ? <Words of={rule.description} /> : null}
        </p>
        {own ? (
          <select
            aria-label={`Severity of ${rule.id}`}
            className="field min-h-7 py-0.5 text-sm"
            value={rule.severity === rule.defaultSeverity ? '' : rule.severity}
            onChange={(event) =>
              change.mutate({ severity: severities.find((it) => it === event.target.value) ?? null })
            }
          >
            <option value="">{rule.defaultSeverity} (default)</option>
            {severities
              .filter((it) => it !== rule.defaultSeverity)
              .map((it) => (
                <option key={it} value={it}>
                  {it}
                </option>
              ))}
          </select>
        ) : (
          <Severity severity={rule.severity} />
        )}
        {own ? (
          <Switch
            label={rule.enabled ? 'On' : 'Off'}
            of={rule.id}
            on={rule.enabled}
            onChange={(enabled) => change.mutate({ enabled })}
          />
        ) : (
          <span className="text-sm text-soft">{rule.enabled ? 'On' : 'Off'}</span>
        )}
      </Row>
      {change.error ? (
        <li className="px-4 py-2">
          <Failure error={change.error} />
        </li>
      ) : null}
    </>
  )
}

const Filters = ({ rules, given }: { rules: readonly StyleGuideRule[]; given: RuleFilter }) => {
  const { filter } = useAddress()
  const formats = [...new Set(rules.flatMap((it) => it.formats ?? []))].toSorted()
  const counted = (changed: Partial<RuleFilter>): number => filterRules(rules, { ...given, ...changed }).length
  const chosen = (value: string): string | null => (value === '' ? null : value)
  return (
    <Toolbar>
      <Choices
        label="State"
        value={chosen(given.state)}
        onChange={(state) => filter({ state: state ?? '' })}
        choices={Object.entries(states).map(([value, { name }]) => ({ value, name, count: counted({ state: value }) }))}
      />
      <Choices
        label="Severity"
        value={chosen(given.severity)}
        onChange={(severity) => filter({ severity: severity ?? '' })}
        choices={severities.map((it) => ({ value: it, name: it, count: counted({ severity: it }) }))}
      />
      {formats.length > 0 ? (
        <FilterSelect
          label="Format"
          value={given.format}
          all="all formats"
          options={formats.map((it) => ({ value: it, name: it }))}
          onChange={(format) => filter({ format })}
        />
      ) : null}
    </Toolbar>
  )
}

/** Every rule of a guide; members with the permission enable and disable rules and change severities. */
export const GuideRulesView = ({ at, given }: { at: GuideRef; given: RuleFilter }) => {
  const rules = useQuery(rulesQuery(at))
  const { guide, own } = useGuide(at)
  const { filter } = useAddress()
  return (
    <section aria-label="Rules" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <Toolbar>
        <SearchField label="Search rules" value={given.q} onChange={(q) => filter({ q })} />
        <CommandHint command={svcCommand(at.tenant, ['style-guide', 'rules', guide.data?.name ?? at.guide])} />
      </Toolbar>
      <Read query={rules} what="the rules">
        {({ items }) => {
          const shown = filterRules(items, given)
          return (
            <>
              <Filters rules={items} given={given} />
              <p role="status" className="text-sm text-soft">
                {shown.length === items.length
                  ? count(items.length, 'rule', 'rules')
                  : `${shown.length.toLocaleString()} of ${count(items.length, 'rule', 'rules')}`}
                , {items.filter((it) => it.enabled).length.toLocaleString()} enabled
              </p>
              {shown.length === 0 ? (
                <NoMatch what="rule" onClear={() => filter({ q: '', severity: '', format: '', state: '' })} />
              ) : (
                <List
                  columns={
                    own ? 'minmax(0,1fr) minmax(0,1.4fr) 9.5rem 5.5rem' : 'minmax(0,1fr) minmax(0,1.4fr) 6rem 3rem'
                  }
                >
                  {shown.map((rule) => (
                    <RuleRow key={rule.id} at={at} rule={rule} own={own} />
                  ))}
                </List>
              )}
            </>
          )
        }}
      </Read>
    </section>
  )
}
