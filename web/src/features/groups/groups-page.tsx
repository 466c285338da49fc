import { useQuery } from '@tanstack/react-query'
import { type RoleRule, roleRulesApi, type RoleSources, scimSource } from '../../../../src/api/role-rules.ts'
import { plural } from '../../../../src/kernel/plural.ts'
import { call } from '../../call.ts'
import { useAddress } from '../../parts/address.ts'
import { Button } from '../../parts/button.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { DangerConfirmation, Window } from '../../parts/dialog.tsx'
import { SearchField } from '../../parts/fields.tsx'
import { List, Row } from '../../parts/list.tsx'
import { Listing, Read } from '../../parts/listing.tsx'
import { MainAction } from '../../parts/main-action.tsx'
import { Page, Toolbar } from '../../parts/page.tsx'
import { Empty, NoPermission } from '../../parts/states.tsx'
import { holds, identityQuery } from '../../session.ts'
import { refreshMembers } from '../members/queries.ts'
import { DirectorySection } from './directory.tsx'
import { pageOfRules, refreshGroups, rulesQuery, type ShownRule, sourcesQuery } from './queries.ts'
import { AddRuleForm, sourceName, TryForm } from './rule-forms.tsx'

/** Why a rule of the organization gives nothing, in two words; null where it counts. */
const idleReason = ({ id, issuer }: ShownRule, { issuer: present, operator_only }: RoleSources): string | null => {
  if (id === undefined || issuer === scimSource) return null
  if (operator_only) return 'The operator writes the rules for claims now: this rule is not applied.'
  return issuer === present
    ? null
    : 'People do not sign in at this identity provider any more: this rule is not applied.'
}

const RuleRow = ({
  rule,
  sources,
  isOwner,
  onRemove,
}: {
  rule: ShownRule
  sources: RoleSources
  isOwner: boolean
  onRemove: (id: string) => void
}) => {
  const { id, members } = rule
  const idle = idleReason(rule, sources)
  const from = id === undefined ? `File of the operator: ${sourceName(rule.issuer)}` : sourceName(rule.issuer)
  return (
    <Row>
      <code className="truncate font-mono text-xs text-soft" title={rule.claim}>
        {rule.claim}
      </code>
      <h2 className="truncate font-semibold" title={rule.value}>
        {rule.value}
      </h2>
      <span>{rule.role}</span>
      <span className="truncate text-soft max-md:w-full" title={idle ?? from}>
        {idle === null ? null : <span className="font-medium text-warn">not applied: </span>}
        {from}
      </span>
      <span className="text-soft max-md:empty:hidden">
        {members === undefined ? null : plural(members, 'person', 'people')}
      </span>
      <span className="flex justify-end max-md:empty:hidden">
        {id === undefined ? <span className="text-soft">read-only</span> : null}
        {id !== undefined && (rule.role !== 'owner' || isOwner) ? (
          <Button look="danger" onClick={() => onRemove(id)}>
            Remove …<span className="sr-only"> {rule.value}</span>
          </Button>
        ) : null}
      </span>
    </Row>
  )
}

const EmptyRules = ({ sources, onAdd }: { sources: RoleSources; onAdd: () => void }) => (
  <Empty title="No rules">
    <p>A rule gives everybody in a group of your identity provider a role, and takes it when they leave the group.</p>
    {sources.issuer === null ? (
      <p>
        People do not sign in at an identity provider here; the operator of the service can set one up. A directory can
        send its groups: create a token below.
      </p>
    ) : null}
    <Button look="primary" onClick={onAdd}>
      Add a rule …
    </Button>
  </Empty>
)

const RuleDialogs = ({
  tenant,
  rules,
  sources,
  isOwner,
}: {
  tenant: string
  rules: readonly RoleRule[]
  sources: RoleSources
  isOwner: boolean
}) => {
  const { dialog, item, close } = useAddress()
  const asked = rules.find((it) => it.id === item)
  return (
    <>
      <Window open={dialog === 'new'} onClose={close} title="Add a rule">
        <AddRuleForm tenant={tenant} sources={sources} isOwner={isOwner} onClose={close} />
      </Window>
      <Window open={dialog === 'try'} onClose={close} title="Try with claims">
        <TryForm tenant={tenant} sources={sources} onClose={close} />
      </Window>
      <DangerConfirmation
        open={dialog === 'remove' && asked !== undefined}
        onClose={close}
        title={`Remove the rule for ${asked?.value ?? ''}?`}
        action="Remove"
        onConfirm={async () => {
          await call(roleRulesApi.remove, { params: { tenant_slug: tenant, rule_id: asked?.id ?? '' } })
          await Promise.all([refreshGroups(tenant), refreshMembers(tenant)])
        }}
      >
        <p>
          {asked === undefined || asked.members === 0
            ? 'It fitted nobody so far.'
            : `It fits ${plural(asked.members, 'person', 'people')}.`}{' '}
          Who is a member by this rule alone loses access at once; members that were invited stay.
        </p>
      </DangerConfirmation>
    </>
  )
}

interface ShownGroups {
  readonly tenant: string
  readonly q: string
  readonly offset: number
  /** The place in the list of tokens. */
  readonly tokens: number
}

const Rules = ({ tenant, q, offset, sources }: Omit<ShownGroups, 'tokens'> & { sources: RoleSources }) => {
  const rules = useQuery(rulesQuery(tenant))
  const identity = useQuery(identityQuery)
  const { open, filter, move } = useAddress()
  const isOwner = identity.data?.memberships.find((it) => it.slug === tenant)?.role === 'owner'
  const own = rules.data ?? []
  return (
    <>
      <Toolbar>
        <SearchField label="Search rules" value={q} onChange={(text) => filter({ q: text })} />
        <Button onClick={() => open('try')}>Try with claims …</Button>
        <CommandHint command={svcCommand(tenant, ['sign-in', 'map', 'list'])} />
      </Toolbar>
      <Listing
        query={{ ...rules, data: rules.data && pageOfRules(rules.data, sources, { q, offset }) }}
        what="the rules"
        one="rule"
        filtered={q !== ''}
        onClear={() => filter({ q: '' })}
        onMove={move}
        empty={<EmptyRules sources={sources} onAdd={() => open('new')} />}
      >
        {(items) => (
          <List
            label="Rules"
            columns="minmax(0,1fr) minmax(0,1.4fr) 5rem minmax(0,1.6fr) 6rem 6.5rem"
            heads={['Claim', 'Value', 'Role', 'Comes from', 'Fits']}
          >
            {items.map((rule) => (
              <RuleRow
                key={rule.id ?? `${rule.issuer} ${rule.claim} ${rule.value} ${rule.role}`}
                rule={rule}
                sources={sources}
                isOwner={isOwner}
                onRemove={(id) => open('remove', id)}
              />
            ))}
          </List>
        )}
      </Listing>
      <RuleDialogs tenant={tenant} rules={own} sources={sources} isOwner={isOwner} />
    </>
  )
}

/** The rules that give roles for groups, and the directory that sends groups. */
export const GroupsPage = ({ tenant, q, offset, tokens }: ShownGroups) => {
  const identity = useQuery(identityQuery)
  const may = holds(identity.data, tenant, 'members:edit')
  const sources = useQuery({ ...sourcesQuery(tenant), enabled: may })
  const { open } = useAddress()
  return (
    <Page
      title="Groups"
      description="Rules that give people roles for the groups of your identity provider. Of several that fit, the highest role counts."
      main={may ? <MainAction onClick={() => open('new')}>Add a rule …</MainAction> : null}
    >
      <Read query={identity} what="your role">
        {() =>
          may ? (
            <Read query={sources} what="the groups">
              {(data) => (
                <>
                  <Rules tenant={tenant} q={q} offset={offset} sources={data} />
                  <DirectorySection tenant={tenant} offset={tokens} directory={data.directory} />
                </>
              )}
            </Read>
          ) : (
            <NoPermission permission="members:edit" />
          )
        }
      </Read>
    </Page>
  )
}
