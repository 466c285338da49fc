import { Type, type Static } from '@sinclair/typebox'
import { endpoint } from './endpoint.ts'
import { roles } from './permissions.ts'
import { bodyOf, dateTime, oneOf, orNull, titled } from '../kernel/shapes.ts'
import { pageOf, pageQueryOptional } from './shapes.ts'
import { idParam, person, tenantParams, tenantPath, listed } from './kit.ts'

export const MemberRecord = titled(
  'MemberRecord',
  Type.Object({
    user_id: Type.String(),
    email: Type.String(),
    name: Type.String(),
    role: oneOf(roles),
    status: oneOf(['active', 'suspended']),
    created_at: dateTime(),
    managed: Type.Boolean({
      description: 'Rules give and take the membership (role-rules); a change of the role by hand ends that.',
    }),
  }),
)
export type MemberRecord = Static<typeof MemberRecord>

export const InvitationRecord = titled(
  'InvitationRecord',
  Type.Object({
    id: Type.String(),
    email: Type.String(),
    role: oneOf(roles),
    invited_by: orNull(Type.String()),
    created_at: dateTime(),
    expires_at: dateTime(),
    token: Type.Optional(
      Type.String({ description: 'Only in the answer that creates the invitation; part of the invitation link.' }),
    ),
    link: Type.Optional(
      Type.String({
        description:
          'Only in the answer that creates the invitation: the link to send to the person. It begins with the public address of the service; without one it is a path.',
      }),
    ),
  }),
)
export type InvitationRecord = Static<typeof InvitationRecord>

export const PasswordResetRecord = titled(
  'PasswordResetRecord',
  Type.Object({
    user_id: Type.String(),
    email: Type.String(),
    token: Type.String({ description: 'Only in this answer; part of the link.' }),
    link: Type.String({
      description:
        'Only in this answer: the link to send to the member. It begins with the public address of the service; without one it is a path.',
    }),
    expires_at: dateTime(),
  }),
)
export type PasswordResetRecord = Static<typeof PasswordResetRecord>

const memberParams = { ...tenantParams, user_id: idParam }

/** Members of a tenant and their roles. */
export const membersApi = {
  list: endpoint({
    id: 'members.list',
    origin: 'own',
    method: 'GET',
    path: `${tenantPath}/members`,
    summary: 'List the members of an organization',
    description: 'Invited people are listed once they accept; until then see the invitations.',
    access: person('projects:view'),
    params: Type.Object(tenantParams),
    query: Type.Object({ ...pageQueryOptional, q: Type.Optional(Type.String()) }),
    response: pageOf(MemberRecord),
    errors: [],
  }),
  update: endpoint({
    id: 'members.update',
    origin: 'own',
    method: 'PATCH',
    path: `${tenantPath}/members/{user_id}`,
    summary: 'Change the role of a member, suspend or reinstate them',
    access: person('members:edit'),
    params: Type.Object(memberParams),
    body: bodyOf({
      role: Type.Optional(oneOf(roles)),
      status: Type.Optional(oneOf(['active', 'suspended'])),
      managed: Type.Optional(
        Type.Boolean({
          description:
            'true leaves the membership to the rules from the next sign-in of the member on; false keeps it whatever they say.',
        }),
      ),
    }),
    response: MemberRecord,
    errors: ['member-not-found', 'last-owner', 'owner-required'],
  }),
  remove: endpoint({
    id: 'members.remove',
    origin: 'own',
    method: 'DELETE',
    path: `${tenantPath}/members/{user_id}`,
    summary: 'Remove a member, or leave the organization',
    description: 'Anyone may leave; removing others needs members:edit. The last Owner cannot leave.',
    access: listed(person(null)),
    params: Type.Object(memberParams),
    response: Type.Null(),
    status: 204,
    errors: ['member-not-found', 'last-owner', 'owner-required'],
  }),
  resetPassword: endpoint({
    id: 'members.reset-password',
    origin: 'own',
    method: 'POST',
    path: `${tenantPath}/members/{user_id}/password-reset`,
    summary: 'Create a link for a member to set a new password; it is shown once, no mail is sent',
    description:
      'For accounts that an invitation of this organization created and that are in no other organization; the operator creates links for every account with svc user reset. The link works once, for 24 hours; a new one replaces it. Only an Owner creates one for an Owner.',
    access: person('members:edit'),
    params: Type.Object(memberParams),
    response: PasswordResetRecord,
    status: 201,
    errors: ['member-not-found', 'owner-required', 'password-reset-self', 'password-reset-elsewhere'],
  }),
  invitations: endpoint({
    id: 'invitations.list',
    origin: 'own',
    method: 'GET',
    path: `${tenantPath}/invitations`,
    summary: 'List pending invitations',
    access: person('members:edit'),
    params: Type.Object(tenantParams),
    query: Type.Object(pageQueryOptional),
    response: pageOf(InvitationRecord),
    errors: [],
  }),
  invite: endpoint({
    id: 'invitations.create',
    origin: 'own',
    method: 'POST',
    path: `${tenantPath}/invitations`,
    summary: 'Invite a person by email address; the answer has the invitation link, no mail is sent',
    access: person('members:edit'),
    params: Type.Object(tenantParams),
    body: bodyOf({
      email: Type.String({ minLength: 3, maxLength: 254 }),
      role: Type.Optional(oneOf(roles, 'Editor when omitted.')),
    }),
    response: InvitationRecord,
    status: 201,
    errors: ['email-invalid', 'member-exists', 'owner-required', 'quota-exceeded'],
  }),
  withdraw: endpoint({
    id: 'invitations.delete',
    origin: 'own',
    method: 'DELETE',
    path: `${tenantPath}/invitations/{invitation_id}`,
    summary: 'Withdraw an invitation',
    access: person('members:edit'),
    params: Type.Object({ ...tenantParams, invitation_id: idParam }),
    response: Type.Null(),
    status: 204,
    errors: ['invitation-not-found'],
  }),
} as const
