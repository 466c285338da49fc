/** docs/reference/events.md from the actions of the audit trail. */
import { auditActions } from '../../src/api/audit-actions.ts'

export default async (): Promise<Record<string, string>> => ({
  'docs/reference/events.md': [
    '# Events',
    '',
    'Every change in an organization adds an event to its audit trail, in the transaction of the change itself. Owners and',
    'administrators read it in the application under *Settings › Audit trail*, with `svc tenant audit`, or with',
    '`GET /v1/tenants/{tenant_slug}/audit-events`. Events hold no secrets.',
    '',
    'Sign-in and account events belong to the service, not to an organization.',
    '',
    '| Action | Meaning |',
    '|---|---|',
    ...Object.entries(auditActions).map(([action, meaning]) => `| \`${action}\` | ${meaning} |`),
    '',
  ].join('\n'),
})
