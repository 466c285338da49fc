/** Lists and views of documents: searching, paging, refusals, the theme. */
import { describe, expect, test } from 'bun:test'
import { SvcError } from '../../src/errors.ts'
import { goodPassword } from '../fixtures/web/fake-answers.ts'
import { openWebPage } from '../fixtures/web/page.ts'

const on = openWebPage()

describe('lists', () => {
  test('typing searches, and the search is part of the address', async () => {
    await on.go('/app/t/acme')
    await on.page.getByLabel('Search projects').fill('number 11')
    await on.page.getByText('11 projects').waitFor()
    expect(new URL(on.page.url()).search).toBe('?q=number+11')
    await on.page.getByLabel('Search projects').fill('number 11x')
    await on.heading('No matches')
    await on.page.getByRole('button', { name: 'Clear search' }).click()
    await on.page.getByText('120 projects').waitFor()
  })

  test('pages of a list are addresses', async () => {
    await on.go('/app/t/acme')
    await on.page.getByText('1–50 of 120').waitFor()
    await on.page.getByRole('button', { name: 'Next' }).click()
    await on.page.getByText('51–100 of 120').waitFor()
    expect(new URL(on.page.url()).search).toBe('?offset=50')
    await on.page.goBack()
    await on.page.getByText('1–50 of 120').waitFor()
  })

  test('versions are on a timeline with a chart of their points; two that are ticked are compared', async () => {
    await on.go('/app/t/acme/train-travel')
    await on.page.getByRole('img', { name: 'Lint points of 3 versions over time' }).locator('canvas').waitFor()
    const second = on.page.getByRole('list', { name: 'Versions' }).getByRole('listitem').nth(1)
    expect(await second.locator('p').textContent()).toBe(
      '1,200 operations +2 −1 operations since 1.0.0 · safe changes since 1.0.0',
    )
    await on.page.getByLabel('Compare 1.0.0', { exact: true }).check()
    await on.page.getByText('Tick another version').waitFor()
    await on.page.getByLabel('Compare 2.0.0', { exact: true }).check()
    await on.page.getByRole('link', { name: 'Compare 1.0.0 with 2.0.0' }).click()
    await on.page.waitForURL(/compare/)
    expect(new URL(on.page.url()).search).toBe('?base=train-travel%401.0.0&head=train-travel%402.0.0')
  })

  test('a refusal replaces the list, in the words of the catalogue, and can be tried again', async () => {
    on.fake.state.refusals.set('projects.list', new SvcError('permission-denied', { permission: 'projects:view' }))
    await on.go('/app/t/acme')
    const alert = on.page.getByRole('alert')
    await alert.waitFor()
    expect(await alert.innerText()).toContain("You don't have access")
    expect(await alert.innerText()).toContain('permission-denied')
    on.fake.state.refusals.clear()
    await alert.getByRole('button', { name: 'Try again' }).click()
    await on.page.getByText('120 projects').waitFor()
  })

  test('a session that ended leads to signing in and back', async () => {
    await on.go('/app/t/acme')
    await on.heading('Projects')
    on.fake.state.signedIn = false
    await on.page.getByLabel('Search projects').fill('train')
    await on.page.getByRole('link', { name: 'Sign in' }).click()
    await on.page.getByLabel('E-mail address').fill('ada@example.com')
    await on.page.getByLabel('Password').fill(goodPassword)
    await on.keys('Enter')
    await on.page.getByText('1 project', { exact: true }).waitFor()
    expect(new URL(on.page.url()).pathname + new URL(on.page.url()).search).toBe('/app/t/acme?q=train')
  })

  test('what a role may not do is not offered', async () => {
    on.fake.state.role = 'viewer'
    await on.go('/app/t/acme/-/members')
    await on.heading('Grace Hopper')
    expect(await on.page.getByRole('button', { name: /Invite|Remove|Suspend|Reinstate/ }).count()).toBe(0)
    await on.go('/app/t/acme/-/import')
    await on.heading("You don't have access")
    const shop = '/app/t/acme/train-travel/-/consumers/ticket-app'
    for (const [path, why] of [
      ['/app/t/acme/train-travel/-/consumers', 'Registering a consumer needs the role Owner, Admin or Editor.'],
      [shop, 'Editing a consumer needs the role Owner, Admin or Editor.'],
      [`${shop}/declare`, 'Declaring what it uses needs the role Owner, Admin or Editor.'],
      ['/app/t/acme/train-travel/1.1.0/changes/report', 'Only its author, an Owner or an Admin can edit the report'],
      ['/app/t/acme/train-travel/-/migration?from=1.1.0&to=2.0.0', 'Editing migration rules needs the role'],
    ] as const) {
      await on.go(path)
      await on.page.getByText(why, { exact: false }).waitFor()
      const offered = on.page.getByRole('button', {
        name: /^(Edit(?!ed)|Accept|Reject|Save|Declare|Retire|Render|Clear|Import)/,
      })
      expect([path, await offered.allInnerTexts()]).toEqual([path, []])
    }
    await on.go('/app/t/acme/train-travel/2.0.0')
    await on.page.getByText('Publishing needs the role').waitFor()
    expect(await on.page.getByRole('button', { name: 'Publish …' }).count()).toBe(0)
  })

  test('thousands of operations: few rows exist, more come while scrolling, one opens in full by its address', async () => {
    await on.go('/app/t/acme/train-travel/2.0.0/operations')
    await on.page.getByText('1,200 operations').waitFor()
    const list = on.page.getByRole('region', { name: 'List of operations' })
    expect(await list.getByRole('listitem').count()).toBeLessThan(60)
    const last = list.getByText('/resource-1199/{id}')
    for (let round = 0; round < 100 && !(await last.isVisible()); round++) {
      await list.evaluate((frame) => frame.scrollTo({ top: frame.scrollHeight }))
      await on.page.waitForTimeout(80)
    }
    await last.waitFor()
    await on.page.getByLabel('Search operations').fill('create a booking')
    await on.page.getByText('1 operation', { exact: true }).waitFor()
    await on.page.getByRole('button', { name: /Create a booking/ }).click()
    await on.page.getByText('Request body, required').waitFor()
    expect(new URL(on.page.url()).searchParams.get('operation')).toBe('POST /bookings')
    await on.keys('Escape')
    await on.page.getByText('Request body, required').waitFor({ state: 'detached' })
  })

  test('a finding leads to its line in the source', async () => {
    await on.go('/app/t/acme/train-travel/2.0.0/findings?severity=warning')
    await on.page.getByText('its function is JavaScript, which a server does not run').waitFor()
    await on.page.getByRole('link', { name: 'line 10:3', exact: true }).click()
    await on.page.getByRole('region', { name: 'Lines of the document' }).waitFor()
    expect(on.page.url()).toEndWith('/source?line=10')
  })

  test('changes are compared with the version before, and with any other', async () => {
    const compared: Record<string, string>[] = []
    on.page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url())
      if (pathname === '/v1/diff/acme/pages') compared.push(Object.fromEntries(searchParams))
    })
    await on.go('/app/t/acme/train-travel/2.0.0/changes')
    await on.page.getByText('1 breaking change and 1 undecided change').waitFor()
    await on.page.getByText('undecided', { exact: true }).first().waitFor()
    await on.page.getByLabel('Compared with').selectOption('1.0.0')
    await on.page.waitForURL(/base=1\.0\.0/)
    await on.page.getByRole('button', { name: 'docs-only 1' }).click()
    await on.page.getByText('The description changed.').waitFor()
    expect(compared).toEqual(
      ['1.1.0', '1.0.0'].map((base) => ({
        base_project: 'train-travel',
        base_version: base,
        head_project: 'train-travel',
        head_version: '2.0.0',
        consumers: 'true',
        page: '0',
      })),
    )
  })
})

test('the theme is chosen by keyboard and stays', async () => {
  await on.go('/app/t/acme')
  await on.page.getByRole('button', { name: 'Account: Ada Lovelace' }).focus()
  await on.keys('Enter')
  await on.page.getByRole('menuitemradio', { name: 'Dark', exact: true }).waitFor()
  await on.page.getByRole('menuitemradio', { name: 'Dark', exact: true }).click()
  const scheme = (): Promise<string> => on.page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)
  expect(await scheme()).toBe('dark')
  await on.page.reload()
  await on.heading('Projects')
  expect(await scheme()).toBe('dark')
})
