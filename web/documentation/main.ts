/**
 * Starts the documentation page of one version. The page itself says what to show, in a JSON block; this part takes the
 * key out of the address bar before anything else happens, reads the document and only then loads the large renderer.
 */
import './no-code-generation.ts'
import { listOperations } from '../src/parts/openapi-document.ts'
import { ownDocument, sourcesOf } from './arazzo.ts'
import { readRefusal } from './refusal.ts'

/** What the server wrote into the page. */
interface Setting {
  readonly title: string
  readonly kind: 'openapi' | 'arazzo'
  readonly documentUrl: string
  /** The workflows that joined the version; shown in place of the operations where the address asks for them. */
  readonly workflowsUrl: string | null
  /** The page's policy lets the browser call the servers that the document names. */
  readonly mayCall: boolean
  /** The style sheet of the outline. */
  readonly outlineStyle: string
}

/** Beyond this the interactive reference takes seconds to draw: the outline, which draws what is looked at, comes first. */
const large = { characters: 4_000_000, operations: 400 }

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

/** The landmark until the renderer adds its own; hidden until a script can say something true in it. */
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

const start = async (): Promise<void> => {
  const target = document.getElementById('reference')
  if (!target) return
  const key = takeKey()
  const joined = view === 'workflows' ? setting.workflowsUrl : null
  const shown = joined ?? setting.documentUrl
  let answer: Response
  try {
    answer = await fetch(shown, {
      headers: { accept: 'application/json', ...(key === null ? {} : { 'x-api-key': key }) },
      referrerPolicy: 'no-referrer',
    })
  } catch {
    say('Service not reachable', 'The document could not be read.', 'Check the connection, then reload this page.')
    return
  }
  if (!answer.ok) {
    const { message, hint } = await readRefusal(answer)
    say('The document cannot be shown', message, hint)
    return
  }
  const text = await answer.text()
  const content = JSON.parse(text) as Record<string, unknown>
  if (setting.kind === 'arazzo' || joined !== null) {
    const [{ showWorkflows }, documents] = await Promise.all([import('./workflows.tsx'), readSources(content)])
    state?.remove()
    showWorkflows(target, { root: content, documents, style: setting.outlineStyle })
    return
  }
  const interactive = async (): Promise<void> => {
    const { showReference } = await import('./reference.ts')
    state?.remove()
    showReference(target, { ...setting, content })
  }
  const operations = listOperations(content)
  const asked = view === 'interactive'
  if (asked || (text.length <= large.characters && operations.length <= large.operations)) return interactive()
  const { showOutline } = await import('./outline.tsx')
  state?.remove()
  showOutline(target, {
    root: content,
    operations,
    style: setting.outlineStyle,
    onInteractive: () => void interactive(),
  })
}

void start()
