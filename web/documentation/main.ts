/**
 * Starts the documentation page of one version. The page itself says what to show, in a JSON block; this part takes the
 * key out of the address bar before anything else happens, then reads the first part.
 */
import { addThemeButton } from './theme-button.ts'
import { ownDocument, sourcesOf } from './arazzo.ts'
import { openParts, PartFailure } from './parts.ts'
import type { Setting } from './reading.ts'
import { readRefusal } from './refusal.ts'

const view = new URL(location.href).searchParams.get('view')

const setting = JSON.parse(document.getElementById('setting')?.textContent ?? '{}') as Setting

/** Removes `api_key` from the address and the history entry, and gives it. */
const takeKey = (): string | null => {
  const address = new URL(location.href)
  const key = address.searchParams.get('api_key')
  if (key !== null) {
    address.searchParams.delete('api_key')
    history.replaceState(history.state, '', address)
  }
  return key
}

/** The landmark until the reader adds its own; hidden until a script can say something true in it. */
const state = document.getElementById('state')
state?.removeAttribute('hidden')

const say = (title: string, message: string, hint: string): void => {
  const alert = document.createElement('div')
  alert.setAttribute('role', 'alert')
  const heading = document.createElement('h2')
  heading.textContent = title
  const what = document.createElement('p')
  what.textContent = message
  const next = document.createElement('p')
  next.textContent = hint
  alert.append(heading, what, next)
  state?.replaceChildren(alert)
}

/** The documents of the sources that this service has; one that cannot be read is left out. */
const readSources = async (root: unknown): Promise<Record<string, unknown>> => {
  const found = await Promise.all(
    sourcesOf(root).map(async ({ name, url }): Promise<[string, unknown] | null> => {
      const address = ownDocument(url, location.href)
      if (address === null) return null
      const answer = await fetch(address, { referrerPolicy: 'no-referrer' }).catch(() => null)
      return answer?.ok === true ? [name, await answer.json().catch(() => null)] : null
    }),
  )
  return Object.fromEntries(found.filter((one) => one !== null))
}

const startWorkflows = async (target: Element, address: string, key: string | null): Promise<void> => {
  const headers = { accept: 'application/json', ...(key === null ? {} : { 'x-api-key': key }) }
  const answer = await fetch(address, { headers, referrerPolicy: 'no-referrer' }).catch(() => null)
  if (answer === null)
    return say(
      'Service not reachable',
      'The document could not be read.',
      'Check the connection, then reload this page.',
    )
  if (!answer.ok) {
    const { message, hint } = await readRefusal(answer)
    return say('The document cannot be shown', message, hint)
  }
  const root = (await answer.json()) as Record<string, unknown>
  const [{ showWorkflows }, documents] = await Promise.all([import('./workflows.tsx'), readSources(root)])
  state?.remove()
  showWorkflows(target, { root, documents })
}

const startReader = async (target: Element, key: string | null): Promise<void> => {
  // The first reader of a document waits until its parts are made.
  const slow = setTimeout(() => {
    state?.firstElementChild?.replaceChildren('Preparing the documentation. This takes a moment once for a version …')
  }, 1000)
  try {
    const [{ showReader }, parts] = await Promise.all([import('./reader.tsx'), openParts(setting.partsUrl, key)])
    // Its servers are known now: the page is loaded again with a policy that allows requests to them.
    if (setting.origins === null && parts.index.servers.length > 0) return location.reload()
    state?.remove()
    showReader(target, setting, parts)
  } catch (error) {
    if (!(error instanceof PartFailure)) throw error
    say('The documentation cannot be shown', error.message, error.hint)
  } finally {
    clearTimeout(slow)
  }
}

const start = async (): Promise<void> => {
  const target = document.getElementById('reference')
  if (!target) return
  const key = takeKey()
  const joined = view === 'workflows' ? setting.workflowsUrl : null
  if (setting.kind === 'arazzo' || joined !== null) return startWorkflows(target, joined ?? setting.documentUrl, key)
  return startReader(target, key)
}

addThemeButton()
void start()
