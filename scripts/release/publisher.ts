/**
 * Who publishes a release, and under which names: a file that `npm run release -- --publisher FILE` reads before it builds anything. Nothing of it
 * is in the sources, because every fork has its own.
 */
import { Type, type Static } from '@sinclair/typebox'
import { parseDocument } from '../../src/document/parse.ts'
import { isObject, type Path } from '../../src/kernel/json.ts'
import { shapeProblems, type ShapeProblem } from '../../src/kernel/shape-problems.ts'
import { bodyOf } from '../../src/kernel/shapes.ts'

const text = Type.String({ minLength: 1 })

/** docs/release.md says what each name is for. */
const PublisherShape = bodyOf({
  maintainer: bodyOf({ name: text, email: text }),
  repository: text,
  homepage: Type.Optional(text),
  npm: Type.Optional(text),
  homebrew: Type.Optional(text),
  scoop: Type.Optional(text),
  winget: Type.Optional(text),
  apt: Type.Optional(bodyOf({ url: text, origin: text, suite: Type.Optional(text), key: Type.Optional(text) })),
  image: Type.Optional(text),
  chart: Type.Optional(text),
  action: Type.Optional(text),
})

/** What a publisher file says, with the defaults filled in; names that it leaves out are absent, and so are their packages. */
export interface Publisher extends Static<typeof PublisherShape> {
  readonly homepage: string
  readonly apt?: { readonly url: string; readonly origin: string; readonly suite: string; readonly key?: string }
}

const ownedRepository = /^[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\/[\w.-]+$/
const address = /^https:\/\/[^/\s"'\\]+(?:\/[^\s"'\\]*)?$/
// A host with a dot or a port, then lowercase names (OCI Distribution 1.1, "Pulling manifests").
const host = String.raw`[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d+)?|[a-z0-9-]+:\d+`
const steps = String.raw`(?:\/[a-z0-9]+(?:[._-]+[a-z0-9]+)*)+`

/** What a text must look like, by its path: a pattern, and the words of the refusal. */
const forms: Readonly<Record<string, readonly [RegExp, string]>> = {
  'maintainer.name': [/^[^<>\n"\\]+$/, 'a name without <, >, quotes and line breaks, such as Acme API team'],
  'maintainer.email': [/^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+$/, 'an e-mail address, such as api@acme.example'],
  repository: [
    /^https:\/\/[^/\s"'\\]+(?:\/[\w.-]+)+$/,
    'the address of a repository, such as https://github.com/OWNER/svc',
  ],
  homepage: [address, 'an address with https, such as https://acme.example/svc'],
  npm: [/^@[a-z0-9][a-z0-9._-]*\/[a-z0-9][a-z0-9._-]*$/, 'a name with a scope that you own, such as @acme/svc'],
  homebrew: [ownedRepository, 'OWNER/TAP, such as acme/tap'],
  scoop: [ownedRepository, 'OWNER/BUCKET, such as acme/bucket'],
  // manifest.defaultLocale of winget, PackageIdentifier.
  winget: [
    /^[^.\s\\/:*?"<>|]{1,32}(?:\.[^.\s\\/:*?"<>|]{1,32}){1,7}$/,
    'PUBLISHER.PACKAGE, such as Acme.Svc, with at most 32 characters a part',
  ],
  'apt.url': [address, 'an address with https, such as https://apt.acme.example'],
  'apt.origin': [/^[^\n]+$/, 'one line, such as Acme'],
  'apt.suite': [/^[a-z][a-z0-9-]*$/, 'lowercase letters, digits and hyphens, such as stable'],
  'apt.key': [/^[0-9A-F]{40}$/, 'the fingerprint of a key, 40 digits as "gpg --list-keys" prints them'],
  image: [new RegExp(`^(?:${host})${steps}$`), 'REGISTRY/NAME without a tag, such as ghcr.io/acme/svc'],
  chart: [new RegExp(`^oci://(?:${host})${steps}$`), 'an OCI registry, such as oci://ghcr.io/acme/charts'],
  action: [ownedRepository, 'OWNER/REPOSITORY, such as acme/svc-action'],
}

function* formProblems(value: unknown, at: Path = []): Generator<ShapeProblem> {
  if (isObject(value)) {
    for (const [key, it] of Object.entries(value)) yield* formProblems(it, [...at, key])
    return
  }
  const name = at.join('.')
  const [form, wanted] = forms[name] ?? []
  if (form !== undefined && !form.test(String(value)))
    yield { path: at, isKey: false, message: `${name} must be ${wanted}, not "${String(value)}"` }
}

/**
 * Reads a publisher file: YAML or JSON.
 * @param source its path, for messages
 * @throws Error with every problem on a line of its own, as "PATH:LINE:COLUMN: message"
 */
export function readPublisher(source: string, written: string): Publisher {
  const document = parseDocument(written, { source })
  const refuse = (found: readonly { readonly line: number; readonly column: number; readonly message: string }[]) => {
    const lines = found
      .toSorted((a, b) => a.line - b.line || a.column - b.column)
      .map(({ line, column, message }) => `${source}:${line}:${column}: ${message}`)
    return new Error(`${lines.join('\n')}\ndocs/publisher.yaml is an example of such a file.`)
  }
  const unreadable = document.problems.filter((it) => it.severity === 'error')
  if (unreadable.length > 0)
    throw refuse(
      unreadable.map(({ range: { start }, message }) => ({
        line: start.line + 1,
        column: start.character + 1,
        message,
      })),
    )
  const shape = shapeProblems(PublisherShape, document.value)
  const found: ShapeProblem[] = shape.length > 0 ? [...shape] : [...formProblems(document.value)]
  if (found.length === 0 && isObject(document.value) && 'chart' in document.value && !('image' in document.value))
    found.push({ path: ['chart'], isKey: true, message: 'chart needs image: the chart starts that image' })
  if (found.length > 0)
    throw refuse(
      found.map(({ path, isKey, message }) => {
        const { start } = document.locate(path, isKey ? { key: true } : {})
        return { line: start.line + 1, column: start.character + 1, message }
      }),
    )
  const publisher = document.value as unknown as Static<typeof PublisherShape>
  return {
    ...publisher,
    homepage: publisher.homepage ?? publisher.repository,
    ...(publisher.apt === undefined ? {} : { apt: { ...publisher.apt, suite: publisher.apt.suite ?? 'stable' } }),
  } as Publisher
}
