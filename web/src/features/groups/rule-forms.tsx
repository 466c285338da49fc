import { useState } from 'react'
import {
  groupsClaim,
  roleRulesApi,
  type RoleSources,
  type RoleTrial,
  scimSource,
} from '../../../../src/api/role-rules.ts'
import { type Role, roles } from '../../../../src/api/permissions.ts'
import { call } from '../../call.ts'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { CheckField, Field, Form, RadioField, TextField, useForm } from '../../parts/form.tsx'
import { readObject } from '../../parts/json-object.ts'
import { List, Row } from '../../parts/list.tsx'
import { Notice } from '../../parts/states.tsx'
import { RoleField } from '../members/member-dialogs.tsx'
import { refreshMembers } from '../members/queries.ts'
import { refreshGroups } from './queries.ts'

/** What an issuer is called where there is one identity provider and one directory. */
export const sourceName = (issuer: string): string => (issuer === scimSource ? 'Directory (SCIM)' : issuer)

/** Which of the two the claims come from; nothing to choose where nobody signs in at an identity provider. */
const SourceField = ({
  issuer,
  value,
  onChange,
}: {
  issuer: string | null
  value: string
  onChange: (source: string) => void
}) =>
  issuer === null ? (
    <p className="text-soft">The groups of the directory (SCIM): people do not sign in at an identity provider here.</p>
  ) : (
    <RadioField
      legend="Where the groups come from"
      value={value}
      options={[
        { value: issuer, name: 'Identity provider', detail: `Claims of ${issuer}, at each sign-in.` },
        { value: scimSource, name: 'Directory (SCIM)', detail: 'Groups and users that the directory sends, at once.' },
      ]}
      onChange={onChange}
    />
  )

interface AboutRules {
  readonly tenant: string
  readonly sources: RoleSources
  readonly onClose: () => void
}

/** Adds a rule; Owners alone can give Owner, and confirm it. */
export const AddRuleForm = ({ tenant, sources, isOwner, onClose }: AboutRules & { isOwner: boolean }) => {
  const issuer = sources.operator_only ? null : sources.issuer
  const initial: Record<'source' | 'claim' | 'value', string> & { role: Role } = {
    source: issuer ?? scimSource,
    claim: groupsClaim,
    value: '',
    role: 'viewer',
  }
  const [isConfirmed, setConfirmed] = useState(false)
  const form = useForm(initial, async ({ source, claim, value, role }) => {
    const body = { issuer: source, claim, value, role, ...(role === 'owner' ? { allow_owner: isConfirmed } : {}) }
    await call(roleRulesApi.create, { params: { tenant_slug: tenant }, body })
    await Promise.all([refreshGroups(tenant), refreshMembers(tenant)])
    onClose()
  })
  const { source, role } = form.values
  return (
    <Form change={form} submit="Add rule" disabled={role === 'owner' && !isConfirmed} onCancel={onClose}>
      {sources.operator_only ? (
        <p className="text-soft">
          The operator of the service writes the rules for claims of the identity provider. You write those for the
          groups of the directory (SCIM).
        </p>
      ) : (
        <SourceField issuer={issuer} value={source} onChange={(chosen) => form.set({ source: chosen })} />
      )}
      <Field
        label="Claim"
        required
        maxLength={200}
        hint="Its name, or its path with dots: realm_access.roles."
        spellCheck={false}
        {...form.bind('claim')}
      />
      <Field
        label="Value"
        required
        maxLength={500}
        hint="The group. * is any text, ? one character; large and small letters differ."
        spellCheck={false}
        {...form.bind('value')}
      />
      <RoleField
        value={role}
        among={isOwner ? roles : roles.filter((it) => it !== 'owner')}
        onChange={(chosen) => form.set({ role: chosen })}
      />
      {role === 'owner' ? (
        <CheckField checked={isConfirmed} onChange={setConfirmed}>
          Whoever manages this group can then make Owners, who can delete the organization. That is meant.
        </CheckField>
      ) : null}
    </Form>
  )
}

type Verdict = RoleTrial['rules'][number]['verdict']
const verdicts: Readonly<Record<Verdict, readonly [Tone, string]>> = {
  fits: ['ok', 'fits'],
  'does-not-fit': ['plain', 'does not fit'],
  undecided: ['warn', 'undecided'],
}

/** The rule that decides: the first of those that fit with the role that results. */
const decidingRule = ({ role, rules }: RoleTrial) => rules.find((it) => it.verdict === 'fits' && it.role === role)

const Outcome = ({ trial }: { trial: RoleTrial }) => {
  const by = decidingRule(trial)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      {by === undefined ? (
        <Notice tone="info" title="No role">
          {trial.rules.length === 0 ? 'There are no rules for this source.' : 'No rule fits these claims.'}
        </Notice>
      ) : (
        <Notice tone="info" title={`Role: ${by.role}`}>
          By the rule{' '}
          <code className="font-mono wrap-anywhere">
            {by.claim} = {by.value}
          </code>
          {by.id === null ? ' of the operator' : ''}: {by.reason}.
        </Notice>
      )}
      {trial.undecided ? (
        <Notice tone="warn" title="A rule is undecided">
          Whoever has a role by that rule keeps it, until the claim is there.
        </Notice>
      ) : null}
      {trial.rules.length === 0 ? null : (
        <List label="What each rule says" columns="6rem minmax(0,1fr) 4rem minmax(0,1.4fr)">
          {trial.rules.map((rule) => (
            <Row key={rule.id ?? `${rule.claim} ${rule.value} ${rule.role}`}>
              <Badge tone={verdicts[rule.verdict][0]}>{verdicts[rule.verdict][1]}</Badge>
              <code className="truncate font-mono text-xs" title={`${rule.claim} = ${rule.value}`}>
                {rule.claim} = {rule.value}
              </code>
              <span>{rule.role}</span>
              <span className="truncate text-soft max-md:w-full max-md:whitespace-normal" title={rule.reason}>
                {rule.reason}
              </span>
            </Row>
          ))}
        </List>
      )}
    </div>
  )
}

const example = '{\n  "groups": ["api-team"]\n}'

/** Says which role claims would give, and by which rule; it changes nothing. */
export const TryForm = ({ tenant, sources, onClose }: AboutRules) => {
  const [trial, setTrial] = useState<RoleTrial | null>(null)
  const initial = { source: sources.issuer ?? scimSource, claims: example }
  const form = useForm(initial, async ({ source, claims: text }) => {
    setTrial(null)
    const claims = readObject(text)
    if (typeof claims === 'string') return
    setTrial(await call(roleRulesApi.test, { params: { tenant_slug: tenant }, body: { issuer: source, claims } }))
  })
  const given = readObject(form.values.claims)
  const problem = typeof given === 'string' ? { error: given } : {}
  return (
    <>
      <Form change={form} submit="Try" disabled={typeof given === 'string'} onCancel={onClose} cancel="Close">
        <SourceField issuer={sources.issuer} value={form.values.source} onChange={(source) => form.set({ source })} />
        <TextField
          label="Claims (JSON)"
          hint="What the identity provider says of a person in the id_token. Nothing is changed or kept."
          rows={7}
          required
          spellCheck={false}
          className="font-mono text-sm"
          {...form.bind('claims')}
          {...problem}
        />
      </Form>
      {trial === null ? null : <Outcome trial={trial} />}
    </>
  )
}
