/** The command palette: what it finds and in which order, what it asks the service, and where it leads. */
import { expect, test } from 'bun:test'
import { openWebPage } from '../fixtures/web/page.ts'

const on = openWebPage()

test('the command palette goes anywhere by keyboard', async () => {
  await on.go('/app/t/acme')
  await on.heading('Projects')
  await on.keys('Control+k')
  const box = on.page.getByRole('combobox', { name: /Go to/ })
  await box.waitFor()
  const answered = on.page.waitForResponse((it) => new URL(it.url()).searchParams.get('q') === 'train')
  await on.page.keyboard.type('train')
  // Before everything is found, another choice may be the first.
  await answered
  await on.page.getByRole('option', { name: /Train Travel API/ }).waitFor()
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
    'Where news go',
    'News by e-mail',
    'News in chats',
    'Watched and muted projects',
    'Name of the organization',
    'Public portal',
    'Second factor of members',
    'What Editors edit',
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
    'Access',
    'Import a version',
    'New draft',
    'Badges',
    'Edit the project',
    'Delete the project',
    'Register a consumer',
    'Give access to the project',
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
    'Inbox',
    'Import',
    'Compare',
    'Teams',
    'Groups',
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
    'Create a team',
    'Add a rule for a group',
    'Create a token for a directory (SCIM)',
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
    'Access',
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
    'Inbox',
    'Compare',
    'Teams',
    ...below,
    'Save this list as a view',
    ...settings,
    ...own,
    ...looks,
  ])
})
