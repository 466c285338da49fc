/** Where news go, on the fake service: routing in few clicks, each state of a target, and what each role is offered. */
import { expect, test } from 'bun:test'
import { accessibilityFailures } from '../fixtures/browser.ts'
import { openWebPage } from '../fixtures/web/page.ts'

const on = openWebPage()
const settings = '/app/t/acme/-/notifications/settings'
const open = async (): Promise<void> => {
  await on.go(settings)
  await on.page.getByRole('checkbox', { name: 'Mentions to Bell' }).waitFor()
}
const columns = (): Promise<string[]> =>
  on.page.getByRole('region', { name: 'Which news go where' }).locator('thead th').allInnerTexts()
const chats = () => on.page.getByRole('list', { name: 'Chats' })

test('a project is muted in two steps from its page, and unmuted in one where news go', async () => {
  await on.go('/app/t/acme/train-travel')
  await on.page.getByRole('button', { name: 'Watch', exact: true }).click()
  await on.page.getByRole('menuitemradio', { name: /^Mute: only mentions and reviews/ }).click()
  await on.page.getByRole('button', { name: 'Muted', exact: true }).waitFor()
  expect(on.sent('project-watches.set')).toEqual([{ level: 'muted' }])
  await open()
  await on.page.getByRole('button', { name: 'Unmute train-travel' }).click()
  await on.page.getByRole('button', { name: 'Unmute train-travel' }).waitFor({ state: 'detached' })
  expect(on.sent('project-watches.set')).toEqual([{ level: 'muted' }, { level: 'concerns_me' }])
})

test('several projects are muted from the list', async () => {
  await on.go('/app/t/acme')
  await on.page.getByRole('checkbox', { name: 'Select Train Travel API' }).click()
  await on.page.getByRole('checkbox', { name: 'Select Service number 2', exact: true }).click()
  await on.page.getByRole('button', { name: 'Actions', exact: true }).click()
  await on.page.getByRole('menuitem', { name: /^Mute/ }).click()
  await on.page.getByText('2 projects', { exact: true }).waitFor()
  expect(on.sent('project-watches.set')).toEqual([{ level: 'muted' }, { level: 'muted' }])
})

test('a type is routed to e-mail by two clicks from the bell, and limited to a tag by three more', async () => {
  await on.go('/app/t/acme')
  await on.page.getByRole('button', { name: /^Notifications/ }).click()
  await on.page.getByRole('menuitem', { name: 'Where news go' }).click()
  await on.page.getByRole('checkbox', { name: 'Published versions to E-mail' }).click()
  await on.page.getByRole('button', { name: 'Published versions to E-mail: all projects' }).click()
  await on.page.getByLabel('Tags').fill('public, rest')
  await on.page.getByRole('button', { name: 'Save' }).click()
  await on.page.getByRole('button', { name: 'Published versions to E-mail: #public, #rest' }).waitFor()
  await on.page.getByRole('checkbox', { name: 'Mentions to E-mail' }).click()
  await on.page.getByRole('button', { name: /^Mentions to E-mail/ }).waitFor({ state: 'detached' })
  expect(on.sent('notification-targets.set-rule')).toEqual([{}, { tags: ['public', 'rest'] }])
  expect(on.sent('notification-targets.delete-rule')).toHaveLength(1)
})

test('without a mail server the page says so and offers no e-mail', async () => {
  on.fake.state.sendsMail = false
  await open()
  await on.page.getByText('This installation sends no e-mail: an operator sets SVC_SMTP_URL.').waitFor()
  expect(await columns()).toEqual(['News', 'Bell', '#my-apis', 'API guild (off)'])
  expect(await on.page.getByLabel('Send', { exact: true }).count()).toBe(0)
})

test('e-mail: times, a test, and an address that nobody confirmed', async () => {
  await open()
  await on.page.getByLabel('Send', { exact: true }).selectOption('Every week')
  await on.page.getByLabel('On', { exact: true }).selectOption('Friday')
  await on.page.getByRole('button', { name: 'Switch off' }).first().click()
  await on.page.getByRole('button', { name: 'Switch on' }).first().waitFor()
  const zone = await on.page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone)
  expect(on.sent('notification-targets.update')).toEqual([
    { time_zone: zone, frequency: 'weekly' },
    { time_zone: zone, weekday: 'friday' },
    { active: false },
  ])
  await on.page.getByRole('button', { name: 'Send a test message' }).click()
  await on.page.getByText('A test message was sent to E-mail.').waitFor()
  on.fake.state.targets = on.fake.state.targets.map((one) =>
    one.id === 'email' ? { ...one, confirmed: false, active: true } : one,
  )
  await open()
  await on.page.getByRole('button', { name: 'Send the link to confirm it' }).waitFor()
  await on.page.getByText('Nobody confirmed that this address is yours.', { exact: false }).waitFor()
})

test('chats: the last result as text, a test, a new one, and the end of one', async () => {
  await open()
  const rows = await chats().getByRole('listitem').allInnerTexts()
  expect(rows.map((text) => text.replaceAll(/\s+/g, ' '))).toEqual([
    expect.stringContaining('failed the chat answered 503: Service unavailable'),
    expect.stringContaining('stopped the chat answered 404: no_service; its webhook may have been removed there'),
  ])
  await on.page.getByRole('button', { name: 'Actions: #my-apis' }).click()
  await on.page.getByRole('menuitem', { name: 'Send a test message' }).click()
  await on.page.getByText('A test message was sent to #my-apis.').waitFor()
  await on.page.getByRole('button', { name: 'Add a chat …' }).click()
  await on.page.getByLabel('Chat', { exact: true }).selectOption('Mattermost')
  await on.page.getByLabel('Name', { exact: true }).fill('Town square')
  await on.page.getByLabel('Address of the webhook').fill('https://chat.example.com/hooks/secret')
  await on.page.getByLabel(/^For the organization/).check()
  expect(await accessibilityFailures(on.page, [], '[role="dialog"]')).toEqual([])
  await on.press('Add')
  await chats().getByRole('heading', { name: 'Town square' }).waitFor()
  expect(on.sent('notification-targets.create')).toEqual([
    { name: 'Town square', service: 'mattermost', url: 'https://chat.example.com/hooks/secret', owner: 'organization' },
  ])
  expect(await on.page.locator('main').innerText()).not.toContain('hooks/secret')
  await on.page.getByRole('button', { name: 'Actions: Town square' }).click()
  await on.page.getByRole('menuitem', { name: 'Remove …' }).click()
  await on.press('Remove')
  await chats().getByRole('heading', { name: 'Town square' }).waitFor({ state: 'detached' })
})

test('a viewer changes their own, reads the chats of the organization, and sees no webhooks', async () => {
  on.fake.state.role = 'viewer'
  await open()
  expect(await on.page.getByRole('checkbox', { name: 'Published versions to API guild' }).isDisabled()).toBe(true)
  expect(await on.page.getByRole('checkbox', { name: 'Published versions to #my-apis' }).isEnabled()).toBe(true)
  expect(await on.page.getByRole('button', { name: /^Actions:/ }).allInnerTexts()).toEqual(['Actions: #my-apis'])
  expect(await on.page.getByRole('heading', { name: 'Webhooks of the organization' }).count()).toBe(0)
  await on.page.getByRole('button', { name: 'Add a chat …' }).click()
  await on.page.getByLabel('Chat', { exact: true }).waitFor()
  expect(await on.page.getByLabel(/^For the organization/).count()).toBe(0)
})

test('the page has no barriers, in both widths', async () => {
  for (const width of [1440, 390]) {
    await on.page.setViewportSize({ width, height: 900 })
    await open()
    await on.page.getByRole('list', { name: 'Webhooks' }).waitFor()
    expect(await accessibilityFailures(on.page)).toEqual([])
    expect(await on.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  }
})
