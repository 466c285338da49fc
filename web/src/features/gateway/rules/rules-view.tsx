import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { gatewayApi, type SecurityPolicy } from '../../../../../src/api/gateway.ts'
import type { SecurityRule } from '../../../../../src/api/gateway-shapes.ts'
import { call } from '../../../call.ts'
import { useAddress } from '../../../parts/address.ts'
import { Badge } from '../../../parts/badge.tsx'
import { Button } from '../../../parts/button.tsx'
import { count } from '../../../parts/text.ts'
import { Read } from '../../../parts/listing.tsx'
import { Menu, MenuItem, MenuLine } from '../../../parts/menu.tsx'
import { Moment, Section, Toolbar } from '../../../parts/page.tsx'
import { Empty, needs } from '../../../parts/states.tsx'
import { Switch } from '../../../parts/choices.tsx'
import { holds, identityQuery } from '../../../session.ts'
import { type EnvironmentAt, environmentInput, policyQuery } from '../queries.ts'
import { inOrder, ordersAfter } from './order.ts'
import { RuleForm } from './rule-form.tsx'
import { actionTones } from './words.ts'
import { useWrite, WriteFailure } from './write.tsx'

type Write = ReturnType<typeof useWrite>
interface Rows {
  readonly at: EnvironmentAt
  readonly write: Write
  readonly may: boolean
}

const ruleInput = (at: EnvironmentAt, id: string) => {
  const { params, query } = environmentInput(at)
  return { params: { ...params, rule_id: id }, query }
}

/** Stores the new numbers one after the other, each on the version that the one before made. */
const move = (at: EnvironmentAt, write: Write, rules: readonly SecurityRule[], id: string, step: -1 | 1): void =>
  write.write(async (controls) => {
    let expectedPolicyVersion = controls.expectedPolicyVersion
    for (const { id: one, order } of ordersAfter(rules, id, step)) {
      const body = { order, ...controls, expectedPolicyVersion }
      expectedPolicyVersion = (await call(gatewayApi.updateRule, { ...ruleInput(at, one), body })).policyVersion
    }
  })

const remove = (at: EnvironmentAt, write: Write, id: string): void =>
  write.write((controls) => {
    const { params, query } = ruleInput(at, id)
    return call(gatewayApi.removeRule, { params, query: { ...query, ...controls } })
  })

const Actions = ({ at, write, rules, rule }: Rows & { rules: readonly SecurityRule[]; rule: SecurityRule }) => {
  const { filter } = useAddress()
  const index = rules.indexOf(rule)
  return (
    <div className="flex items-center gap-1">
      {rules.length > 1 ? (
        <span className="flex">
          <Button
            look="quiet"
            disabled={index === 0 || write.isPending}
            onClick={() => move(at, write, rules, rule.id, -1)}
          >
            <ArrowUp size={15} aria-label={`Move up: ${rule.name}`} />
          </Button>
          <Button
            look="quiet"
            disabled={index === rules.length - 1 || write.isPending}
            onClick={() => move(at, write, rules, rule.id, 1)}
          >
            <ArrowDown size={15} aria-label={`Move down: ${rule.name}`} />
          </Button>
        </span>
      ) : null}
      <Switch
        label="On"
        of={rule.name}
        on={rule.enabled}
        disabled={write.isPending}
        onChange={(enabled) =>
          write.write((controls) =>
            call(gatewayApi.updateRule, { ...ruleInput(at, rule.id), body: { enabled, ...controls } }),
          )
        }
      />
      <Menu align="end" label={<span aria-label={`More: ${rule.name}`}>More</span>}>
        <MenuItem onClick={() => filter({ edit: rule.id })}>Edit …</MenuItem>
        <MenuLine />
        <MenuItem onClick={() => remove(at, write, rule.id)}>Remove</MenuItem>
      </Menu>
    </div>
  )
}

const Text = ({ of }: { of: string }) => <code className="font-mono text-sm wrap-anywhere">{of}</code>

const RuleRow = ({ rules, rule, ...rest }: Rows & { rules: readonly SecurityRule[]; rule: SecurityRule }) => (
  <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2 px-4 py-3">
    <div className="grid min-w-0 flex-1 basis-80 gap-1">
      <div className="flex flex-wrap items-center gap-2">
        <span className="w-6 text-sm text-soft tabular-nums">{rules.indexOf(rule) + 1}.</span>
        <h2 className="font-semibold wrap-anywhere">{rule.name}</h2>
        <Badge tone={actionTones[rule.action] ?? 'plain'}>{rule.action}</Badge>
        {rule.enabled ? null : <Badge>off</Badge>}
      </div>
      <Text of={rule.expressionText} />
      <p className="text-sm wrap-anywhere text-soft">
        {rule.action === 'skip' ? `Skips ${rule.groups.join(', ')}. ` : ''}
        {rule.rate ? `${rule.rate.limit} requests in ${rule.rate.windowSeconds} s by ${rule.rate.key}. ` : ''}
        {rule.reason === '' ? '' : `${rule.reason} · `}
        <Link
          to="/t/$tenant/-/gateway/$environment/traffic"
          params={{ ...rest.at }}
          search={{ ruleRef: `rule:${rule.id}` }}
          className="link"
        >
          {count(rule.hits24h, 'request', 'requests')} in 24 hours
        </Link>
      </p>
    </div>
    {rest.may ? <Actions {...rest} rules={rules} rule={rule} /> : null}
  </li>
)

const Removed = ({ at, write, may, removed }: Rows & { removed: readonly SecurityRule[] }) => (
  <Section title="Removed rules" description="Removed rules have no effect. You can restore each of them.">
    <ul className="card divide-y" aria-label="Removed rules">
      {removed.map((rule) => (
        <li key={rule.id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 px-4 py-3">
          <div className="grid min-w-0 flex-1 basis-80 gap-1">
            <div className="flex flex-wrap items-center gap-2">
              <h3 className="font-medium wrap-anywhere">{rule.name}</h3>
              <Badge>{rule.action}</Badge>
            </div>
            <Text of={rule.expressionText} />
            {rule.removedAt === null ? null : (
              <p className="text-sm text-soft">
                Removed <Moment at={rule.removedAt} />
              </p>
            )}
          </div>
          {may ? (
            <Button
              busy={write.isPending}
              aria-label={`Restore ${rule.name}`}
              onClick={() =>
                write.write((controls) => call(gatewayApi.restoreRule, { ...ruleInput(at, rule.id), body: controls }))
              }
            >
              Restore
            </Button>
          ) : null}
        </li>
      ))}
    </ul>
  </Section>
)

const Rules = ({ at, policy, edit }: { at: EnvironmentAt; policy: SecurityPolicy; edit: string }) => {
  const identity = useQuery(identityQuery)
  const { filter } = useAddress()
  const write = useWrite(at, policy.policyVersion)
  const may = holds(identity.data, at.tenant, 'security:edit')
  const rules = inOrder(policy.rules)
  const edited = rules.find(({ id }) => id === edit) ?? null
  const add = (
    <Button look="primary" onClick={() => filter({ edit: 'new' })}>
      Add a rule …
    </Button>
  )
  if (may && (edit === 'new' || edited !== null))
    return (
      <RuleForm
        key={edit}
        at={at}
        rule={edited}
        policyVersion={policy.policyVersion}
        onClose={() => filter({ edit: '' })}
      />
    )
  return (
    <>
      {rules.length === 0 ? (
        <Empty title="No rules of your own">
          <p>
            A rule says what happens to requests that meet an expression: block, log, limit their rate, let them pass.
          </p>
          {may ? add : <p>{needs('security:edit', 'Adding one')}</p>}
        </Empty>
      ) : (
        <>
          <Toolbar>
            <p className="text-sm text-soft">Rules apply in this order.</p>
            {may ? add : null}
          </Toolbar>
          <WriteFailure at={at} write={write} />
          <ol className="card divide-y" aria-label="Rules">
            {rules.map((rule) => (
              <RuleRow key={rule.id} at={at} write={write} may={may} rules={rules} rule={rule} />
            ))}
          </ol>
        </>
      )}
      {rules.length === 0 ? <WriteFailure at={at} write={write} /> : null}
      {policy.removedRules.length === 0 ? null : (
        <Removed at={at} write={write} may={may} removed={policy.removedRules} />
      )}
    </>
  )
}

/** The custom rules of an environment in their order, the removed ones, and the form of one. */
export const RulesView = ({ at, edit }: { at: EnvironmentAt; edit: string }) => {
  const policy = useQuery(policyQuery(at))
  return (
    <Read query={policy} what="the rules">
      {(found) => <Rules at={at} policy={found} edit={edit} />}
    </Read>
  )
}
