import { MemberRecord, membersApi } from '../../src/api/members.ts'
import { roles } from '../../src/api/permissions.ts'
import { SvcError } from '../../src/errors.ts'
import { command, group } from '../../cli/declare.ts'
import { derive } from '../../cli/derive.ts'
import { memberOf, memberOrInvitation } from '../../cli/member/find.ts'
import { listOptions, pageCounts, pageOptions } from '../../cli/paging.ts'
import { renderFacts, shortTime } from '../../cli/table.ts'

export default group({
  summary: 'Manage members of the organization: roles, invitations, suspension',
  commands: {
    list: derive(membersApi.list, {
      summary: 'List the members of the organization and their roles',
      examples: ['svc member list', 'svc member list --search ada --json'],
      options: {
        search: {
          placeholder: 'TEXT',
          summary: 'only members whose name or e-mail address contains TEXT',
          field: 'q',
        },
        ...listOptions,
      },
      data: 'items',
      counts: pageCounts,
      empty: 'No members.\n',
      columns: { 'E-MAIL': (it) => it.email, ROLE: (it) => it.role, STATUS: (it) => it.status, NAME: (it) => it.name },
    }),
    invitations: derive(membersApi.invitations, {
      summary: 'List the pending invitations',
      examples: ['svc member invitations', 'svc member invitations --json'],
      options: pageOptions,
      data: 'items',
      counts: pageCounts,
      empty: 'No open invitations.\n',
      columns: { 'E-MAIL': (it) => it.email, ROLE: (it) => it.role, EXPIRES: (it) => shortTime(it.expires_at) },
      more: true,
    }),
    update: command({
      summary: 'Change the role or status of a member; effective immediately',
      examples: [
        'svc member update bob@example.com --role admin',
        'svc member update eve@example.com --status suspended',
      ],
      arguments: [{ name: 'member', required: true, summary: 'e-mail address or id' }],
      options: {
        role: { type: 'string', placeholder: 'ROLE', choices: roles, summary: 'the new role' },
        status: {
          type: 'string',
          placeholder: 'STATUS',
          choices: ['active', 'suspended'],
          summary: 'active, or suspended: without access to the organization',
        },
        managed: { type: 'boolean', summary: 'leave the membership to the rules for groups (svc sign-in map)' },
      },
      dataSchema: MemberRecord,
      async run({ args, options, connection }) {
        const { role, status, managed } = options
        if (role === undefined && status === undefined && !managed)
          throw new SvcError('usage', { reason: 'Give --role, --status or --managed' })
        const { call, tenant } = await connection()
        const tenantSlug = await tenant()
        const { user_id } = await memberOf(call, tenantSlug, args.member)
        const member = await call(membersApi.update, {
          params: { tenant_slug: tenantSlug, user_id },
          body: {
            ...(role === undefined ? {} : { role }),
            ...(status === undefined ? {} : { status }),
            ...(managed ? { managed } : {}),
          },
        })
        return {
          data: member,
          text: renderFacts([
            ['member', member.email],
            ['role', member.role],
            ['status', member.status],
            ['given by', member.managed ? 'rules for groups' : null],
          ]),
        }
      },
    }),
    delete: command({
      summary: 'Remove a member, withdraw an open invitation, or leave the organization',
      description: 'The last Owner cannot leave. The link of a withdrawn invitation stops working.',
      examples: ['svc member delete bob@example.com'],
      arguments: [{ name: 'member', required: true, summary: 'e-mail address or id' }],
      options: {},
      async run({ args, connection }) {
        const { call, tenant } = await connection()
        const tenantSlug = await tenant()
        const found = await memberOrInvitation(call, tenantSlug, args.member)
        if ('invitation' in found) {
          const { id, email } = found.invitation
          await call(membersApi.withdraw, { params: { tenant_slug: tenantSlug, invitation_id: id } })
          return { data: null, text: `Withdrew the invitation of ${email}\n` }
        }
        const { user_id, email } = found.member
        await call(membersApi.remove, { params: { tenant_slug: tenantSlug, user_id } })
        return { data: null, text: `Removed ${email}\n` }
      },
    }),
    invite: derive(membersApi.invite, {
      summary: 'Invite a person by e-mail address; the link is shown only once, no e-mail is sent',
      description:
        'Send the link to the person yourself. The first person who opens it can create an account and take the membership.',
      examples: ['svc member invite bob@example.com', 'svc member invite eve@example.com --role viewer'],
      arguments: [{ name: 'email', summary: 'the address of the person' }],
      options: {
        role: {
          type: 'string',
          placeholder: 'ROLE',
          choices: roles,
          default: 'editor',
          summary: 'role of the member (default editor)',
        },
      },
      text: (made) =>
        renderFacts([
          ['invited', made.email],
          ['role', made.role],
          ['link', made.link ?? ''],
          ['good until', shortTime(made.expires_at)],
        ]),
    }),
    'reset-password': command({
      summary: 'Create a link for a member to set a new password; it is shown only once, no e-mail is sent',
      description:
        'Send the link to the member in private: the first person who opens it can set the password. For accounts that an invitation of this organization created and that are in no other one; for all others the operator runs "svc user reset".',
      examples: ['svc member reset-password bob@example.com'],
      arguments: [{ name: 'member', required: true, summary: 'e-mail address or id' }],
      options: {},
      dataSchema: {
        type: 'object',
        properties: {
          user_id: { type: 'string' },
          email: { type: 'string' },
          link: { type: 'string' },
          expires_at: { type: 'string' },
        },
      },
      async run({ args, connection }) {
        const { call, tenant } = await connection()
        const tenantSlug = await tenant()
        const { user_id } = await memberOf(call, tenantSlug, args.member)
        const { token: _, ...made } = await call(membersApi.resetPassword, {
          params: { tenant_slug: tenantSlug, user_id },
        })
        return {
          data: made,
          text: renderFacts([
            ['member', made.email],
            ['link', made.link],
            ['good until', shortTime(made.expires_at)],
          ]),
        }
      },
    }),
  },
})
