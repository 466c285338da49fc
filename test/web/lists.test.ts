/** Lists and views of documents: searching, paging, refusals, the palette, the theme. */
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

test('the command palette goes anywhere by keyboard', async () => {
  await on.go('/app/t/acme')
  await on.heading('Projects')
  await on.keys('Control+k')
  const box = on.page.getByRole('combobox', { name: /Go to/ })
  await box.waitFor()
  await on.page.keyboard.type('train')
  await on.page.getByRole('option', { name: /Train Travel API/ }).waitFor()
  // Before everything is found, another choice may be the first.
  await on.page
    .getByRole('dialog')
    .getByRole('status')
    .filter({ hasText: 'Searching …' })
    .waitFor({ state: 'detached' })
  await on.keys('Enter')
  await on.heading('Train Travel API')
  await on.keys('Control+k')
  await on.page.keyboard.type('Key')
  await on.page.getByRole('option', { name: /^Keys/ }).waitFor()
  await on.keys('ArrowDown', 'ArrowUp', 'Enter')
  await on.heading('Keys')
  await on.keys('Control+k')
  await box.waitFor()
  await on.keys('Escape')
  await box.waitFor({ state: 'detached' })
})

test('the command palette asks once somebody pauses, and says that it searches until the answer is there', async () => {
  await on.go('/app/t/acme/-/members')
  await on.heading('Members')
  const asked: string[] = []
  await on.page.route(/\/search\?/, async (route) => {
    asked.push(new URL(route.request().url()).searchParams.get('q') ?? '')
    await Bun.sleep(400)
    await route.continue()
  })
  await on.keys('Control+k')
  // Five key presses in one task of the page: however busy the machine is, no pause lies between them.
  await on.page.getByRole('combobox').evaluate((field: HTMLInputElement) => {
    const value = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')
    for (const typed of ['q', 'qq', 'qqq', 'qqqq', 'qqqqq']) {
      value?.set?.call(field, typed)
      field.dispatchEvent(new InputEvent('input', { bubbles: true }))
    }
  })
  const status = on.page.getByRole('dialog').getByRole('status')
  await status.filter({ hasText: 'Searching …' }).waitFor()
  expect(await on.page.getByText('No matches.').count()).toBe(0)
  await status.filter({ hasText: 'No matches.' }).waitFor()
  expect(asked).toEqual(['qqqqq'])
  // Narrowed to actions, nothing is asked.
  await on.page.keyboard.press('Control+a')
  await on.page.keyboard.type('>invite')
  await on.page.getByRole('option', { name: /^Invite a member/ }).waitFor()
  expect(await on.page.getByRole('option').count()).toBe(1)
  await on.page.unrouteAll({ behavior: 'ignoreErrors' })
  await on.keys('Escape')
})

test('the command palette shows what the service finds, under whatever name', async () => {
  await on.go('/app/t/acme/-/members')
  await on.heading('Members')
  await on.keys('Control+k')
  await on.page.keyboard.type('reserve')
  await on.page.getByRole('option', { name: /POST \/bookings/ }).waitFor()
  const found = on.page.getByRole('listbox', { name: 'Destinations' }).getByRole('option')
  expect(await found.locator('span:first-of-type').allInnerTexts()).toEqual([
    'POST /bookings',
    'Reservation',
    'operation-tags',
    'Train Travel API',
    'Grace Hopper',
  ])
  await on.keys('ArrowUp', 'Enter')
  await on.heading('Members')
  expect(on.address()).toBe('/app/t/acme/-/members?q=grace%40example.com')
})

test('the command palette leads to the findings of a rule, and says what it found by semantic search', async () => {
  await on.go('/app/t/acme')
  await on.heading('Projects')
  await on.keys('Control+k')
  await on.page.keyboard.type('reserve')
  const option = (name: RegExp) => on.page.getByRole('option', { name })
  expect(await option(/^operation-tags/).innerText()).toContain('12 findings in 1 project')
  await option(/12 of operation-tags.*Findings/).click()
  await on.page
    .getByRole('heading', { name: /^Train Travel/ })
    .first()
    .waitFor()
  expect(on.address()).toBe('/app/t/acme/train-travel/2.0.0/findings?rule=operation-tags')
  await on.keys('Control+k')
  await on.page.keyboard.type('journey')
  await option(/GET \/trips.*Operations, semantic search/).waitFor()
  expect(await option(/./).locator('span:first-of-type').allInnerTexts()).toEqual(['GET /trips', 'Price'])
  expect(await on.page.getByText('3 older versions are still being indexed').count()).toBe(1)
  await on.keys('ArrowUp', 'Enter')
  await on.heading('Price')
})

test('the command palette has every page, the views of the version, and what can be done', async () => {
  const options = async (): Promise<string[]> => {
    await on.keys('Control+k')
    await on.page.getByRole('option', { name: 'Sign out' }).waitFor()
    const all = on.page.getByRole('option').locator('span:first-of-type')
    const names = (await all.allInnerTexts()).filter((it) => !it.startsWith('Service number'))
    await on.keys('Escape')
    return names
  }
  const views = ['Overview', 'Operations', 'Lint', 'Changes', 'Source', 'Review', 'Types', 'Repository']
  const labels = ['2.0.0', '1.1.0', '1.0.0']
  const below = [
    'Unresolved references',
    'Imports',
    'Specifications',
    'Accounts',
    'Providers',
    'Polling',
    'Webhook sources',
  ]
  const keys = [
    'Create an API key',
    'Create an agent key',
    'Trust a pipeline',
    'Create an MCP key',
    'Change the tools of MCP keys',
  ]
  const own = [
    'Your organizations',
    'Create an organization',
    'Documentation',
    'Your account',
    'Authorize a device',
    'Sign out',
  ]
  const settings = [
    'Your name',
    'Change your password',
    'Second factor',
    'Where you are signed in',
    'Name of the organization',
    'Public portal',
    'Second factor of members',
  ]
  const looks = ['Theme: light', 'Theme: dark', 'Theme: system']
  await on.go('/app/t/acme/train-travel/2.0.0')
  await on.page.getByText('1,200 operations').waitFor()
  expect(await options()).toEqual([
    ...views,
    'Edit the draft',
    'Publish',
    'Force publish',
    'Delete the draft',
    'Badges',
    'Request a review',
    'Bind to a repository',
    ...labels,
    'Versions',
    'Consumers',
    'Bindings',
    'Migration rules',
    'Import a version',
    'New draft',
    'Badges',
    'Edit the project',
    'Delete the project',
    'Register a consumer',
    'Train Travel API',
    'Home',
    'Projects',
    'Dependencies',
    'Types',
    'Repositories',
    'Style guides',
    'MCP servers',
    'Gateways',
    'People and keys',
    'Audit trail',
    'Settings',
    'Waiting for you',
    'Import',
    'Compare',
    'Keys',
    'Webhooks',
    'Plan and usage',
    'Bin',
    ...below,
    'Dead letters',
    'Event types',
    'Signatures',
    'Create a project',
    'Save this list as a view',
    'Import types',
    'Create a type',
    'Add a repository',
    'Link an account of a git provider',
    'Create a style guide',
    'Import an MCP server',
    'Create an environment',
    'Invite a member',
    ...keys,
    'Create a webhook subscription',
    'Send missed webhook deliveries again',
    'Empty the bin',
    'Transfer ownership',
    'Delete the organization',
    ...settings,
    ...own,
    ...looks,
  ])
  on.fake.state.role = 'viewer'
  await on.go('/app/t/acme/train-travel/1.1.0')
  await on.page.getByText('1,200 operations').waitFor()
  expect(await options()).toEqual([
    ...views,
    'Badges',
    ...labels,
    'Versions',
    'Consumers',
    'Bindings',
    'Migration rules',
    'Badges',
    'Train Travel API',
    'Home',
    'Projects',
    'Dependencies',
    'Types',
    'Repositories',
    'Style guides',
    'MCP servers',
    'People and keys',
    'Settings',
    'Waiting for you',
    'Compare',
    ...below,
    'Save this list as a view',
    ...settings,
    ...own,
    ...looks,
  ])
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
