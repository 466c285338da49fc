import { resolve } from 'node:path'
import { tenantList } from '../../cli/auth/memberships.ts'
import {
  describeExport,
  describeImport,
  exportedSchema,
  importedSchema,
  tableLine,
} from '../../cli/backup/organization.ts'
import { locateDatabase } from '../../cli/backup/place.ts'
import { withLine } from '../../cli/progress-line.ts'
import { onboardingApi } from '../../src/api/onboarding.ts'
import { AuditRecord, quotaNames, tenantsApi } from '../../src/api/tenants.ts'
import { isCalendarDate } from '../../src/kernel/calendar-date.ts'
import { SvcError } from '../../src/errors.ts'
import { command, group } from '../../cli/declare.ts'
import { derive } from '../../cli/derive.ts'
import { memberIdOf } from '../../cli/member/find.ts'
import { pageCounts, pageOptions } from '../../cli/paging.ts'
import { renderFacts, renderTable, shortTime } from '../../cli/table.ts'

/** A day or a moment as the interface wants it: a day begins at midnight in UTC, and the last one counts whole. */
const momentOf = (option: string, text: string, wholeDay: boolean): string => {
  const at = isCalendarDate(text.slice(0, 10)) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(at))
    throw new SvcError('usage', { reason: `--${option} must be a date or a date and time, not "${text}".` })
  const isDay = text.length === 10
  return new Date(at + (isDay && wholeDay ? 86_400_000 : 0)).toISOString()
}

const keyKinds: Partial<Record<AuditRecord['actor_kind'], string>> = {
  'api-key': 'API key',
  'agent-key': 'agent key',
  'mcp-key': 'MCP key',
}

/** A person by name, a key with its kind and its name, or its id where the key is gone. */
const whoOf = ({ actor_kind: kind, actor_name: name, actor_id: id }: AuditRecord): string => {
  const key = keyKinds[kind]
  return key === undefined ? (name ?? id ?? kind) : `${key} ${name === null ? id : `"${name}"`}`
}

const limitText = (max: number | null): string => (max === null ? 'unlimited' : String(max))

export default group({
  summary: 'Manage the organization: content, ownership, plan and audit trail',
  commands: {
    list: tenantList('List the organizations you have access to', 'tenant list'),
    show: derive(tenantsApi.get, {
      summary: 'Show the organization and what it contains',
      examples: ['svc tenant show', 'svc --tenant acme tenant show --json'],
      text({ storage_used_bytes: used, storage_quota_bytes: quota, ...info }) {
        return renderFacts([
          ['tenant', info.slug],
          ['name', info.name],
          ['plan', info.plan],
          ['created', info.created_at === null ? null : shortTime(info.created_at)],
          ['members', String(info.members_count)],
          ['projects', String(info.projects_count)],
          ['versions', `${info.versions_count}, ${info.published_versions_count} of them published`],
          ['stored', `${used ?? 0} bytes${quota === null ? '' : ` of ${quota}`}`],
        ])
      },
    }),
    license: derive(tenantsApi.license, {
      summary: 'Show the plan, seats and quotas of the organization',
      examples: ['svc tenant license', 'svc tenant license --json'],
      text({ plan, seats, quotas }) {
        const used = `${seats.used} of ${limitText(seats.max)}`
        const facts = renderFacts([
          ['plan', plan === null ? 'none (the limits of the free plan hold)' : `${plan.name}, ${plan.status}`],
          ['seats', `${used}${seats.pending === 0 ? '' : `, ${seats.pending} pending`}`],
        ])
        const rows = quotaNames.map((name) => [name, String(quotas[name].used), limitText(quotas[name].max)])
        return `${facts}\n${renderTable(['QUOTA', 'USED', 'MAX'], rows)}`
      },
    }),
    create: derive(onboardingApi.firstTenant, {
      examples: ['svc tenant create "Acme Inc."', 'svc tenant create "Acme Inc." --slug acme --sample'],
      arguments: [{ name: 'name', summary: 'name of the organization' }],
      options: {
        slug: { summary: 'its slug (default: made from the name)' },
        sample: { type: 'boolean', summary: 'add a sample project', field: 'provision_sample_project' },
      },
      text: (made) =>
        renderFacts([
          ['tenant', made.tenant.slug],
          ['name', made.tenant.name],
          ['plan', made.tenant.plan],
          ['sample', made.sample_project_id],
        ]),
    }),
    transfer: derive(tenantsApi.transfer, {
      summary: 'Transfer ownership to another member; you become Admin',
      examples: ['svc --tenant acme tenant transfer bob@example.com'],
      arguments: [{ name: 'member', summary: 'e-mail address or id', field: 'user_id', read: memberIdOf }],
      text: (done) =>
        renderFacts([
          ['owner', done.owner.email],
          ['you are now', done.previous.role],
        ]),
    }),
    audit: derive(tenantsApi.audit, {
      summary: 'Show the audit trail, newest first',
      description: 'People, keys and versions are named; --json has their ids and the addresses of their pages too.',
      examples: ['svc tenant audit', 'svc tenant audit --action member.suspended --json'],
      options: {
        action: {
          placeholder: 'NAME',
          summary: 'only this action, such as member.suspended, or all of a kind: "member.*"',
        },
        actor: { placeholder: 'ID', summary: 'only what this person or key did' },
        target: { placeholder: 'ID', summary: 'only what was done to this version, person, key, …' },
        since: {
          placeholder: 'WHEN',
          summary: 'only entries since this date or time',
          read: (text) => momentOf('since', text, false),
        },
        until: {
          placeholder: 'WHEN',
          summary: 'only entries up to this date, or before this time',
          read: (text) => momentOf('until', text, true),
        },
        ...pageOptions,
      },
      data: 'items',
      counts: pageCounts,
      empty: 'Nothing was changed yet.\n',
      columns: {
        TIME: (it) => shortTime(it.created_at),
        WHO: whoOf,
        ACTION: (it) => it.action,
        WHAT: (it) => it.target_name ?? it.target_id ?? '',
      },
      more: true,
    }),
    export: command({
      summary: 'Write an organization to a file, for another installation',
      description:
        'Takes a consistent snapshot of the organization of --tenant while the service keeps running, past the service: run it on the machine that has the data. ' +
        'The file has everything but sessions, passwords and second factors; secrets in it stay encrypted with SVC_SECRET_KEY.',
      examples: ['svc --tenant acme tenant export acme.svcbackup'],
      arguments: [{ name: 'file', required: true, summary: 'the file to create; it must not exist' }],
      options: {},
      isBounded: true,
      dataSchema: exportedSchema,
      run: async (invocation) => {
        const { exportOrganization } = await import('../../db/organization/export.ts')
        const file = resolve(invocation.cwd, invocation.args.file)
        const { target } = await locateDatabase(invocation)
        const slug = invocation.globals.tenant ?? 'local'
        const now = Date.now()
        const done = await withLine(invocation.io, (show) =>
          exportOrganization(target, file, { slug, now, progress: (at) => show(tableLine(at)) }),
        )
        return describeExport(file, slug, invocation.cwd, done)
      },
    }),
    import: command({
      summary: 'Bring an organization from a file of another installation',
      description:
        'Verifies the file, writes the organization beside those that are there, all of it or nothing, reads it back and compares it. It may come from SQLite or Postgres. ' +
        'Accounts are found by their confirmed addresses, or made without a password.',
      examples: [
        'SVC_DATABASE_URL=postgres://… svc tenant import acme.svcbackup',
        'svc tenant import laptop.svcbackup --slug acme --owner ada@example.com',
      ],
      arguments: [{ name: 'file', required: true, summary: 'the file of "svc tenant export"' }],
      options: {
        slug: { type: 'string', placeholder: 'SLUG', summary: 'its slug from now on (default: the one it has)' },
        owner: {
          type: 'string',
          placeholder: 'EMAIL',
          summary: 'the account that becomes the owner of a workspace that nobody signed in to',
        },
      },
      isBounded: true,
      dataSchema: importedSchema,
      run: async (invocation) => {
        const { importOrganization } = await import('../../db/organization/import.ts')
        const { args, options, cwd, io } = invocation
        const { target } = await locateDatabase(invocation)
        const done = await withLine(io, (show) =>
          importOrganization(resolve(cwd, args.file), target, {
            ...(options.slug === undefined ? {} : { slug: options.slug }),
            ...(options.owner === undefined ? {} : { owner: options.owner }),
            progress: (at) => show(tableLine(at)),
          }),
        )
        return describeImport(done)
      },
    }),
    delete: command({
      summary: 'Delete an organization with all its content permanently',
      examples: ['svc tenant delete acme --confirm acme'],
      arguments: [{ name: 'slug', required: true, summary: 'slug of the organization' }],
      options: {
        confirm: { type: 'string', placeholder: 'SLUG', summary: 'the slug again, to confirm the deletion' },
      },
      async run({ args, options, call }) {
        if (options.confirm !== args.slug)
          throw new SvcError('usage', {
            reason: `This deletes all projects, keys and members of ${args.slug} permanently; to confirm, add --confirm ${args.slug}`,
          })
        await (
          await call()
        )(tenantsApi.remove, { params: { tenant_slug: args.slug } })
        return { data: null, text: `Deleted ${args.slug}\n` }
      },
    }),
  },
})
