/** A draft that is bound to a repository, by one person in a real browser on the real service with a real git server. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { parseNetworks } from '../../server/egress/address.ts'
import { parseGitHosts } from '../../server/hosting/hosts.ts'
import { type Forge, startForge } from '../fixtures/web/forge.ts'
import { openReal, type Real } from '../fixtures/web/real.ts'

setDefaultTimeout(60_000)

const versions = '/v1/tenants/local/projects/shop/versions/2.0.0'
const panel = '/t/local/shop/2.0.0/repository'

const shop = (summary: string, type: string, more = ''): string => `openapi: 3.1.0
info: { title: Shop, version: 2.0.0 }
paths:
  /pets:
    get:
      operationId: list
      summary: ${summary}
      parameters:
        - { name: limit, in: query, schema: { type: ${type} } }
      responses: { '200': { description: ok } }
${more}`
const owners = `  /owners:
    get: { operationId: owners, responses: { '200': { description: ok } } }
`
const staff = owners.replace('/owners', '/staff')

let on: Real
let page: Page
let forge: Forge

/** The document of the draft, and replacing it as another person would. */
const draft = (): Promise<string> => page.evaluate(async (path) => (await fetch(path)).text(), `${versions}/document`)
const edit = (text: string): Promise<void> =>
  page.evaluate(
    async ([path, body]) => {
      const { csrf_token: token } = (await (await fetch('/_app/session')).json()) as { csrf_token: string }
      const etag = (await fetch(path)).headers.get('etag') ?? ''
      const headers = { 'x-csrf-token': token, 'if-match': etag, 'content-type': 'application/yaml' }
      const answer = await fetch(path, { method: 'PUT', headers, body })
      if (!answer.ok) throw new Error(await answer.text())
    },
    [`${versions}/document`, text] as const,
  )
const waiting = () => page.getByRole('list', { name: 'Waiting changes' }).getByRole('listitem')

beforeAll(async () => {
  forge = startForge('gitlab')
  forge.create('acme/shop', { 'openapi.yaml': shop('List', 'integer'), 'README.md': '# Shop' })
  on = await openReal({
    egressAllow: parseNetworks('127.0.0.0/8'),
    hosting: { hosts: parseGitHosts(`${forge.host}=gitlab`) ?? [] },
  })
  page = on.page
  const source = { kind: 'inline', content: shop('List', 'integer') }
  const { job_id: job } = await on.ask('POST', '/v1/tenants/local/imports', { source })
  const done = await on.ask('GET', `/v1/imports/${String(job)}?wait=10`)
  expect(done['status']).toMatch(/^completed/)
  await on.ask('POST', '/v1/tenants/local/repositories', {
    source: 'public_url',
    cloneUrl: `http://${forge.host}/acme/shop.git`,
  })
}, 60_000)
afterAll(async () => {
  await on.close()
  await forge.stop()
})

test('a draft is bound; a path that selects nothing is refused with what to do', async () => {
  await on.go(panel)
  await on.press('Bind to a repository …')
  const dialog = page.getByRole('dialog', { name: 'Bind to a repository' })
  await dialog.getByRole('combobox', { name: 'Repository' }).fill('shop')
  await page.getByRole('option', { name: /^acme\/shop/ }).waitFor()
  await page.keyboard.press('Enter')
  await dialog.getByLabel('Path').fill('none.yaml')
  await page.keyboard.press('Enter')
  await dialog.getByRole('alert').waitFor()
  expect(await dialog.getByRole('alert').innerText()).toContain('none.yaml')
  await dialog.getByLabel('Path').fill('openapi.yaml')
  await page.keyboard.press('Enter')
  await on.heading('No changes waiting')
  const commit = forge.git.git('acme/shop', 'rev-parse', '--short=7', 'HEAD')
  await page.getByText(`at ${commit}`, { exact: false }).waitFor()
  await on.press('Check now')
  await page.getByText('main has no new commits').waitFor()
  expect(await on.faults()).toEqual([])
})

test('a change of the repository waits, with what it means and what it meets in the draft', async () => {
  forge.commit('acme/shop', { 'openapi.yaml': shop('List all pets', 'string', owners) })
  // The draft names an operation of its own as the repository names another.
  await edit(shop('List some pets', 'number', staff))
  await on.press('Check now')
  await waiting().first().waitFor()
  const [text] = await waiting().allInnerTexts()
  expect(text?.replaceAll(/\s+/g, ' ')).toContain('non-breaking conflicts')
  await waiting().getByRole('link').click()
  await on.heading('3 conflicts')
  const conflicts = await page.getByRole('list', { name: 'Conflicts' }).locator('> li').allInnerTexts()
  // Without the numbers of lines.
  expect(conflicts.map((it) => it.split(/\n+/).filter((line) => !/^\s*\d*\s*$/.test(line)))).toEqual([
    [
      'GET /pets',
      '/paths/~1pets/get/summary',
      'Keep the draft',
      'Take the repository',
      'In the draft',
      '−',
      'removed:',
      '"List"',
      '+',
      'added:',
      '"List some pets"',
      'In the repository',
      '−',
      'removed:',
      '"List"',
      '+',
      'added:',
      '"List all pets"',
    ],
    [
      'parameter limit of GET /pets',
      '/paths/~1pets/get/parameters/0/schema/type',
      'Keep the draft',
      'Take the repository',
      'In the draft',
      '−',
      'removed:',
      '"integer"',
      '+',
      'added:',
      '"number"',
      'In the repository',
      '−',
      'removed:',
      '"integer"',
      '+',
      'added:',
      '"string"',
    ],
    [
      'GET /owners',
      '/paths/~1owners/get/operationId',
      'Keep the draft',
      'Take the repository',
      'With both changes, two operations have the operationId "owners".',
      'In the draft',
      'not present',
      'In the repository',
      '+',
      'added:',
      '"owners"',
    ],
  ])
  await page.getByText('1 change', { exact: true }).waitFor()
  // What taking it means for the draft, ahead of the decision.
  const after = page.getByRole('region', { name: 'Merged draft' }).locator('dl').first()
  expect((await after.innerText()).split(/\n+/)).toEqual([
    'Lint grade of the draft',
    'grade B',
    'B',
    '→',
    'then',
    'grade B',
    'B',
    'Findings',
    '4 new findings, 0 gone',
    'Breaking changes',
    'no version was published before',
  ])
  // Nothing is chosen for the person, and nothing can be taken before everything is decided.
  await page.getByText('0 of 3 conflicts decided').waitFor()
  expect(await page.getByRole('button', { name: 'Take into the draft …' }).isDisabled()).toBe(true)
  expect(await on.faults()).toEqual([])
})

test('each conflict is decided; the draft gets the merge, and the binding continues from there', async () => {
  await page
    .getByRole('group', { name: 'Result at /paths/~1pets/get/summary' })
    .getByRole('button', { name: 'Take the repository' })
    .click()
  for (const pointer of ['/paths/~1pets/get/parameters/0/schema/type', '/paths/~1owners/get/operationId'])
    await page
      .getByRole('group', { name: `Result at ${pointer}` })
      .getByRole('button', { name: 'Keep the draft' })
      .click()
  await page.getByText('3 of 3 conflicts decided').waitFor()
  await page.getByText('2 changes', { exact: true }).waitFor()
  await on.press('Take into the draft …')
  await page.getByLabel('Note (optional)').fill('as agreed')
  await page.getByRole('dialog').getByRole('button', { name: 'Take into the draft' }).click()
  await page.getByText('This change is applied').waitFor()
  await page.getByText('as agreed', { exact: false }).waitFor()
  const text = await draft()
  expect([text.includes('List all pets'), text.includes('type: number'), text.includes('/owners')]).toEqual([
    true,
    true,
    true,
  ])
  await on.go(panel)
  await page.getByRole('list', { name: 'Decided changes' }).getByRole('listitem').waitFor()
  await page
    .getByText(`at ${forge.git.git('acme/shop', 'rev-parse', '--short=7', 'HEAD')}`, { exact: false })
    .first()
    .waitFor()
})

test('commits that leave the selection alone are marked as applied without a merge', async () => {
  forge.commit('acme/shop', { 'README.md': '# Shop 2' })
  await on.press('Check now')
  await waiting().getByRole('link').click()
  await page.getByText('The selected files did not change').waitFor()
  // The page of a change is below the tab of the binding, which stays marked.
  const tabs = page.getByRole('navigation', { name: 'Views of this version' })
  expect(await tabs.locator('[aria-current=page]').allInnerTexts()).toEqual(['Repository'])
  expect(await page.getByRole('button', { name: 'Take into the draft …' }).count()).toBe(0)
  await on.press('Mark as applied …')
  await page.getByRole('dialog').getByRole('button', { name: 'Mark as applied' }).click()
  await page.getByText('This change is applied').waitFor()
})

test('a change is dismissed, and the draft stays; the project lists its bindings', async () => {
  const before = await draft()
  forge.commit('acme/shop', { 'openapi.yaml': shop('Only theirs', 'string', owners) })
  await on.go(panel)
  await on.press('Check now')
  await waiting().first().waitFor()
  await on.go('/t/local/shop/-/bindings')
  await page.getByText('1 change waiting', { exact: true }).waitFor()
  await page.getByRole('link', { name: '2.0.0', exact: true }).click()
  await waiting().getByRole('link').click()
  await on.press('Dismiss …')
  await page.getByRole('dialog').getByRole('button', { name: 'Dismiss' }).click()
  await page.getByText('This change is dismissed').waitFor()
  expect(await draft()).toBe(before)
})

test('a binding is replaced and ended; what was stays as a list with its reasons', async () => {
  await on.go(panel)
  await on.press('Replace …')
  const dialog = page.getByRole('dialog', { name: 'Bind to something else' })
  expect(await dialog.getByLabel('Path').inputValue()).toBe('openapi.yaml')
  // The draft has edits of its own: that is said, and decided, before anything is stored.
  await dialog.getByLabel('Path').press('Enter')
  await dialog.getByText(/^The draft differs from the file in \d+ places$/).waitFor()
  expect(await dialog.getByRole('radio').count()).toBe(3)
  expect(await dialog.getByRole('radio', { name: /^Review the changes of the file/ }).isChecked()).toBe(true)
  // Another file is compared again.
  await dialog.getByLabel('Path').fill('*.md')
  expect(await dialog.getByRole('radio').count()).toBe(0)
  await dialog.getByLabel('Path').fill('*.md')
  await page.keyboard.press('Enter')
  const earlier = page.getByRole('list', { name: 'Earlier bindings' }).getByRole('listitem')
  await earlier.first().waitFor()
  await on.press('Unbind …')
  await on.press('Unbind')
  await on.heading('Not bound to a repository')
  await page.waitForFunction(() => document.querySelectorAll('[aria-label="Earlier bindings"] > li').length === 2)
  expect((await earlier.allInnerTexts()).map((it) => it.split(/\n+/).slice(0, 3))).toEqual([
    ['acme/shop', 'main: *.md', 'unbound'],
    ['acme/shop', 'main: openapi.yaml', 'replaced'],
  ])
  expect(await on.faults()).toEqual([])
  expect(on.conduct.violations).toEqual([])
  expect(on.conduct.foreign).toEqual([])
})
