/** Rules that give roles for groups, and the directory (SCIM), in the application. */
import { expect, test } from 'bun:test'
import { csrf } from '../fixtures/web/fake-answers.ts'
import { openWebPage } from '../fixtures/web/page.ts'
import type { RoleRule } from '../../src/api/role-rules.ts'
import { pageOfRules } from '../../web/src/features/groups/queries.ts'

const on = openWebPage()
const place = '/app/t/acme/-/groups'
const sent = (id: string) => on.fake.state.calls.filter((it) => it.id === id)

test('rules of the operator come first, are read-only, and are found and paged with the others', async () => {
  const own = Array.from({ length: 60 }, (_, at): RoleRule => ({
    id: `r${at}`,
    issuer: 'scim',
    claim: 'groups',
    value: `team-${at}`,
    role: 'viewer',
    members: 0,
    created_by: null,
    created_at: '2026-01-01T00:00:00.000Z',
  }))
  const given = { operator_rules: [{ issuer: 'scim', claim: 'groups', value: 'Admins', role: 'admin' as const }] }
  const valuesOf = (q: string, offset: number) => {
    const { items, ...counts } = pageOfRules(own, given, { q, offset })
    return [counts.total, items.length, items[0]?.value]
  }
  expect(valuesOf('', 0)).toEqual([61, 50, 'Admins'])
  expect(valuesOf('', 50)).toEqual([61, 11, 'team-49'])
  expect(valuesOf('TEAM-7', 0)).toEqual([1, 1, 'team-7'])
  expect(valuesOf('nobody', 0)).toEqual([0, 0, undefined])
  await on.go(place)
  const rows = on.page.getByRole('list', { name: 'Rules' }).getByRole('listitem')
  await rows.first().waitFor()
  expect(
    (await rows.allInnerTexts()).map((it) => it.replace('Remove …\n', 'Remove … ').replaceAll('\n', ' | ')),
  ).toEqual([
    'groups | svc-admins | admin | File of the operator: https://id.example.com | read-only',
    'groups | api-team | editor | https://id.example.com | 3 people | Remove … api-team',
    'groups | Platform | viewer | Directory (SCIM) | 0 people | Remove … Platform',
    'realm_access.roles | ops-* | admin | not applied: https://old.example.com | 3 people | Remove … ops-*',
  ])
})

test('a rule is added and removed; Owner needs a confirmation', async () => {
  await on.go(`${place}?dialog=new`)
  await on.heading('Add a rule')
  await on.page.getByLabel('Value').fill('owners')
  await on.page.getByRole('radio', { name: /^Owner/ }).check()
  expect(await on.page.getByRole('button', { name: 'Add rule' }).isDisabled()).toBe(true)
  await on.page.getByRole('checkbox').check()
  await on.page.getByRole('radio', { name: /^Directory/ }).check()
  await on.press('Add rule')
  await on.closed('Add a rule')
  expect(sent('role-rules.create')).toEqual([
    {
      id: 'role-rules.create',
      csrf,
      body: { issuer: 'scim', claim: 'groups', value: 'owners', role: 'owner', allow_owner: true },
    },
  ])
  await on.press('Remove … api-team')
  await on.heading('Remove the rule for api-team?')
  await on.press('Remove')
  await on.closed('Remove the rule for api-team?')
  expect(sent('role-rules.delete').length).toBe(1)
})

test('claims are tried: the role, the rule that gives it, and what no rule can decide', async () => {
  await on.go(place)
  await on.press('Try with claims …')
  const claims = on.page.getByLabel('Claims (JSON)')
  await claims.fill('[1]')
  expect(await on.page.getByText('Write one JSON object.').isVisible()).toBe(true)
  expect(await on.page.getByRole('button', { name: 'Try', exact: true }).isDisabled()).toBe(true)
  await claims.fill('{"groups": ["api-team"]}')
  await on.press('Try')
  await on.page.getByText('Role: editor').waitFor()
  expect(await on.page.getByText('By the rule').innerText()).toBe(
    'By the rule groups = api-team: "groups" has "api-team".',
  )
  expect(await on.page.getByText('A rule is undecided').isVisible()).toBe(true)
  expect(sent('role-rules.test').map((it) => it.body)).toEqual([
    { issuer: 'https://id.example.com', claims: { groups: ['api-team'] } },
  ])
})

test('a token of the directory is shown once, with the address', async () => {
  await on.go(`${place}?dialog=new-token`)
  await on.page.getByLabel('Name').fill('entra')
  await on.press('Create token')
  const shown = on.page.getByLabel('The token', { exact: true })
  await shown.waitFor()
  expect(await shown.innerText()).toMatch(/^svs_A{38}$/)
  expect(await on.page.getByText('https://svc.example/scim/v2').isVisible()).toBe(true)
  await on.page.getByLabel('I have stored the token').check()
  await on.press('Done')
  await shown.waitFor({ state: 'detached' })
  expect(sent('scim-tokens.create').map((it) => it.body)).toEqual([{ name: 'entra', days: 365 }])
})

test('an Editor reads who may see the rules', async () => {
  on.fake.state.role = 'editor'
  await on.go(place)
  await on.page.getByText("You don't have access").waitFor()
  expect(sent('role-rules.sources')).toEqual([])
  expect(await on.page.getByRole('button', { name: 'Add a rule …' }).count()).toBe(0)
})
