/** Releases of an environment: the list, what differs between two, one as a whole, and going back to one. */
import { expect, test } from 'bun:test'
import { openWebPage } from '../fixtures/web/page.ts'

const on = openWebPage()
const path = '/app/t/acme/-/gateway/production/delivery/releases'

test('each release says why it was made and where it is in use; two are compared by settings and lines', async () => {
  await on.go(path)
  const rows = on.page.getByRole('list', { name: 'Releases' }).getByRole('listitem')
  await rows.first().waitFor()
  const said = await Promise.all((await rows.all()).map(async (it) => (await it.innerText()).split(/\n+/)))
  expect(said.map((it) => it.filter((word) => !/\d{4}|Actions/.test(word)))).toEqual([
    [
      'Release 3',
      'newest, holds',
      'A person rolled back to an earlier release. +12 −3 lines.',
      'Coraza',
      'in use on 1 gateway',
    ],
    ['Release 2', 'Version 2.0.0 of the document is bound now. +12 −3 lines.', 'Coraza', 'in use on 2 gateways'],
    ['Release 1', 'The policy changed to version 1. No line differs.', 'Coraza', 'in use on no gateway'],
  ])
  await on.press('Actions for release 2')
  await on.page.getByRole('menuitem', { name: 'Compare with 1', exact: true }).click()
  await on.heading('From release 1 to release 2')
  expect(on.address()).toBe(`${path}?from=1&to=2`)
  const settings = on.page.getByRole('list', { name: 'Settings that are enforced differently' })
  expect((await settings.innerText()).split('\n')).toEqual([
    'group:rce',
    'Coraza',
    'enforced → not enforced',
    'It is off.',
  ])
  await on.page.getByText('30-rules.conf').click()
  const lines = on.page.getByRole('region', { name: 'Differences of 30-rules.conf' })
  expect(await lines.innerText()).toContain('SecRule ARGS:q "@rx new"')
})

test('one release: what each setting comes to, what is not checked, and its files', async () => {
  await on.go(`${path}/2`)
  await on.heading('Release 2')
  const settings = on.page.getByRole('list', { name: 'Settings' }).getByRole('listitem')
  const states = await Promise.all((await settings.all()).map(async (it) => (await it.innerText()).split(/\n+/)))
  expect(states).toEqual([
    ['not enforced', 'Coraza', 'Coraza shows no challenges.', 'Challenge'],
    ['enforced in part', 'Coraza', 'The snippet for Caddy counts it.', 'Rate limit'],
    ['enforced', 'Coraza', 'Tier, SQL injection'],
  ])
  await on.page.getByText('/components/schemas/Pet/properties/name/pattern').waitFor()
  await on.press('Show 30-rules.conf of Coraza')
  await on.page.getByRole('region', { name: '30-rules.conf' }).getByText('id:20000').waitFor()
})

test('the files of a release are downloaded as an archive that tar unpacks', async () => {
  await on.go(`${path}/2`)
  const saving = on.page.waitForEvent('download')
  await on.press('Download for Coraza')
  const saved = await saving
  expect(saved.suggestedFilename()).toBe('production-release-2-coraza.tar')
  const listed = Bun.spawnSync(['tar', '-tf', (await saved.path()) ?? ''])
  expect(listed.stdout.toString().split('\n').filter(Boolean)).toEqual(['30-rules.conf', 'svc.conf'])
})

test('a release that no gateway runs enforces nothing', async () => {
  await on.go(`${path}/1`)
  await on.page.getByText('No gateway runs this release: nothing of it is enforced.', { exact: false }).waitFor()
  const settings = on.page.getByRole('list', { name: 'Settings' })
  expect(await settings.getByText('would be enforced', { exact: true }).count()).toBe(1)
  expect(await settings.getByText('enforced', { exact: true }).count()).toBe(0)
})

test('gateways go back to an earlier release after a question', async () => {
  await on.go(path)
  await on.press('Actions for release 1')
  await on.page.getByRole('menuitem', { name: 'Roll back …' }).click()
  await on.heading('Roll back to release 1')
  await on.page.getByLabel('Reason (optional)').fill('The new rules refuse too much.')
  await on.press('Roll back')
  await on.page.getByText('It holds until the policy changes.', { exact: false }).first().waitFor()
  await on.press('Done')
  await on.closed('Roll back to release 1')
  expect(on.sent('releases.rollback')).toEqual([{ reason: 'The new rules refuse too much.' }])
})

test('what a newer svc compiled waits: it is compared with the newest release, then used', async () => {
  await on.go('/app/t/acme/-/gateway/staging/delivery/releases')
  await on.page.getByText('Release 2 waits').waitFor()
  const buttons = on.page.getByRole('list', { name: 'Releases' }).getByRole('button')
  expect(await Promise.all((await buttons.all()).map((it) => it.innerText()))).toEqual(['Actions for release 2'])
  await on.press('Actions for release 2')
  const offered = on.page.getByRole('menuitem')
  await offered.first().waitFor()
  expect(await offered.allInnerTexts()).toEqual(['Compare with 1'])
  await on.keys('Escape')
  await on.press('Show what changes')
  await on.heading('From release 1 to release 2')
  expect(on.address()).toBe('/app/t/acme/-/gateway/staging/delivery/releases?from=1&to=2')
  await on.press('Use this release …')
  await on.heading('Use release 2')
  await on.page.getByLabel('Reason (optional)').fill('Looked at the lines.')
  await on.press('Use this release')
  await on.closed('Use release 2')
  expect(on.sent('releases.take')).toEqual([{ reason: 'Looked at the lines.' }])
})
