import { Type, type Static } from '@sinclair/typebox'
import { anyObject, bodyOf, dateTime, oneOf, orNull, titled } from '../kernel/shapes.ts'
import { endpoint } from './endpoint.ts'
import { idParam, person, tenantParams, tenantPath } from './kit.ts'
import { roles } from './permissions.ts'
import { stablePageShape, stableQuery } from './shapes.ts'

/** What rules call the directory of an organization (SCIM) in the place of an issuer. */
export const scimSource = 'scim'
/** The claim in which most identity providers list the groups of a person. */
export const groupsClaim = 'groups'

const source = Type.String({
  minLength: 1,
  maxLength: 500,
  description: 'The `iss` of the identity provider, or "scim": the directory of the organization.',
})

export const RoleRule = titled(
  'RoleRule',
  Type.Object({
    id: Type.String(),
    issuer: source,
    claim: Type.String(),
    value: Type.String(),
    role: oneOf(roles),
    members: Type.Integer({ description: 'How many people the rule fitted when they signed in last.' }),
    created_by: orNull(Type.String()),
    created_at: dateTime(),
  }),
)
export type RoleRule = Static<typeof RoleRule>

/** What rules make of a set of claims. */
export const RoleTrial = titled(
  'RoleTrial',
  Type.Object({
    issuer: Type.String(),
    role: orNull(oneOf(roles)),
    undecided: Type.Boolean({ description: 'A rule could not be decided: what it gave before would stay.' }),
    rules: Type.Array(
      Type.Object({
        id: orNull(Type.String({ description: 'null: a rule of the file of the operator.' })),
        claim: Type.String(),
        value: Type.String(),
        role: oneOf(roles),
        verdict: oneOf(['fits', 'does-not-fit', 'undecided']),
        reason: Type.String(),
      }),
    ),
  }),
)
export type RoleTrial = Static<typeof RoleTrial>

export const RoleSources = titled(
  'RoleSources',
  Type.Object({
    issuer: orNull(Type.String({ description: 'The identity provider that people sign in at; null: none.' })),
    operator_only: Type.Boolean({ description: 'Only the operator of the service writes rules for its claims.' }),
    operator_rules: Type.Array(
      Type.Object({ issuer: source, claim: Type.String(), value: Type.String(), role: oneOf(roles) }),
      { description: 'Rules of the file of the operator for this organization: nobody can change them here.' },
    ),
    directory: Type.Object({
      url: Type.String({ description: 'Address of the interface for directories (SCIM).' }),
      users: Type.Integer({ description: 'Users that the directory sent.' }),
      groups: Type.Integer({ description: 'Groups that the directory sent.' }),
    }),
  }),
)
export type RoleSources = Static<typeof RoleSources>

const base = `${tenantPath}/role-rules` as const

/** Rules that give people a role for the groups that their identity provider or a directory puts them in. */
export const roleRulesApi = {
  list: endpoint({
    id: 'role-rules.list',
    origin: 'own',
    method: 'GET',
    path: base,
    summary: 'List the rules that give roles for claims or groups, newest first',
    description: 'Rules in the file of the operator are not listed; the sources of roles have them.',
    access: person('members:edit'),
    params: Type.Object(tenantParams),
    query: Type.Object(stableQuery),
    response: stablePageShape(RoleRule),
    errors: [],
  }),
  create: endpoint({
    id: 'role-rules.create',
    origin: 'own',
    method: 'POST',
    path: base,
    summary: 'Give a role to everybody whose claim has a value',
    description:
      'Of several rules that fit, the highest role counts. Rules are applied when a person signs in at the identity provider; those of a directory at once. Owner is given only by an Owner with `allow_owner`.',
    access: person('members:edit'),
    params: Type.Object(tenantParams),
    body: bodyOf({
      value: Type.String({
        minLength: 1,
        maxLength: 500,
        description: 'What a value of the claim must be: `*` is any text, `?` one character.',
      }),
      role: oneOf(roles),
      claim: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 200,
          default: groupsClaim,
          description: 'Name of the claim, or its path with dots: `realm_access.roles`.',
        }),
      ),
      issuer: Type.Optional(source),
      allow_owner: Type.Optional(
        Type.Boolean({ default: false, description: 'Whoever manages the group can then make Owners.' }),
      ),
    }),
    response: RoleRule,
    status: 201,
    errors: ['role-rule-invalid', 'role-rule-taken', 'owner-required'],
  }),
  remove: endpoint({
    id: 'role-rules.delete',
    origin: 'own',
    method: 'DELETE',
    path: `${base}/{rule_id}`,
    summary: 'Remove a rule, and at once the memberships that no other rule gives',
    access: person('members:edit'),
    params: Type.Object({ ...tenantParams, rule_id: idParam }),
    response: Type.Null(),
    status: 204,
    errors: ['role-rule-not-found', 'owner-required'],
  }),
  sources: endpoint({
    id: 'role-rules.sources',
    origin: 'own',
    method: 'GET',
    path: `${tenantPath}/role-rule-sources`,
    summary: 'Say where roles by rules come from: the identity provider, the file of the operator, the directory',
    access: person('members:edit'),
    params: Type.Object(tenantParams),
    response: RoleSources,
    errors: [],
  }),
  test: endpoint({
    id: 'role-rules.test',
    origin: 'own',
    method: 'POST',
    path: `${tenantPath}/role-rule-trials`,
    summary: 'Say which role claims would give, and why; nothing is changed',
    access: person('members:edit'),
    params: Type.Object(tenantParams),
    body: bodyOf({ claims: anyObject, issuer: Type.Optional(source) }),
    bodyLimit: 262_144,
    response: RoleTrial,
    errors: [],
  }),
} as const
