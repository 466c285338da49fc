/** Texts of documents and of the files that are beside them: of this machine, and of addresses. */
import { statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { textOf } from '../../src/document/text.ts'
import { SvcError } from '../../src/errors.ts'
import type { OverlaidDocument } from '../../src/overlay/trace.ts'
import type { Invocation } from '../declare.ts'
import { assertAllowed, isNamed } from './allowed-hosts.ts'
import type { TypeReader } from './types.ts'
import { assertBelow, readRegular, rootOf } from './regular-file.ts'

/** Where a text came from, and how to read what is beside it. */
export interface SourceText {
  /** As a person calls it: the path as it was typed, an address, "main:openapi.yaml", "payments@1.2.0", "-". */
  readonly name: string
  readonly text: string
  /** Its place among the files beside it, to which relative references are joined: an address, or a path with slashes. */
  readonly place: string
  /** Null where nothing is beside it. */
  readonly files: Files | null
  /** The text as a document, where overlays of its API made it: it knows where each part was written. */
  readonly entry?: OverlaidDocument
  /** Reads the registered types that it refers to; without it they stay references. */
  readonly types?: TypeReader
}

/** A text that was found and not read yet. */
export interface UnreadText extends Pick<SourceText, 'name' | 'place' | 'files'> {
  /** A digest of its content. */
  readonly id: string
  /** @throws SvcError `document-invalid` where it is not a text */
  read(): Promise<SourceText>
}

/** The files that references may lead to. */
export interface Files {
  /** Whether a place is one of these at all. */
  holds(place: string): boolean
  /** The texts of places, or why one cannot be read. */
  read(places: readonly string[]): Promise<readonly (string | SvcError)[]>
  /** A place as a person calls it. */
  nameOf(place: string): string
}

const sentence = (reason: string): string => (/[.?]$/.test(reason) ? reason : `${reason}.`)

/** A side that cannot be read, and why. */
export const unreadable = (name: string, reason: string): SvcError =>
  new SvcError('input-unreadable', { name, reason: sentence(reason) })

/** A side that is not there, where everything around it is: some can continue without it. */
export class MissingSide extends SvcError<'input-unreadable'> {
  constructor(name: string, reason: string) {
    super('input-unreadable', { name, reason: sentence(reason) })
  }
}

/** Runs `read` for each item, a few at a time; what is expected to fail is answered in its place. */
export async function readEach<T>(
  items: readonly T[],
  read: (item: T) => Promise<string>,
): Promise<(string | SvcError)[]> {
  const results: (string | SvcError)[] = []
  const atOnce = 16
  for (let from = 0; from < items.length; from += atOnce)
    results.push(
      ...(await Promise.all(
        items.slice(from, from + atOnce).map((item) =>
          read(item).catch((thrown: unknown) => {
            if (thrown instanceof SvcError) return thrown
            throw thrown
          }),
        ),
      )),
    )
  return results
}

/** The path of a place on this machine; null for what is an address. */
export const pathOf = (place: string): string | null =>
  place.startsWith('/') || /^[a-z]:\//i.test(place) ? place : null

const readLocal = async (name: string, path: string): Promise<string> => textOf(await readRegular(name, path), name)

const localFiles = (cwd: string, absolute: boolean, root: string): Files => {
  const nameOf = (place: string): string => {
    const path = pathOf(place) ?? place
    return absolute ? path : relative(cwd, path).replaceAll('\\', '/')
  }
  const read = async (place: string): Promise<string> => {
    const path = pathOf(place) ?? place
    assertBelow(root, path, nameOf(place))
    return readLocal(nameOf(place), path)
  }
  return {
    holds: (place) => pathOf(place) !== null,
    read: (places) => readEach(places, read),
    nameOf,
  }
}

/**
 * Where a file of this machine is, and how to read what is beside it.
 * @param root the folder of --root
 */
export const localSource = (
  name: string,
  cwd: string,
  root: string | undefined,
): { readonly place: string; readonly files: Files } => {
  const path = resolve(cwd, name)
  const chosen = root === undefined ? undefined : resolve(cwd, root)
  return { place: path.replaceAll('\\', '/'), files: localFiles(cwd, path === name, rootOf(path, chosen)) }
}

/**
 * Reads a file of this machine.
 * @param root the folder outside which no reference leads, where one was named
 * @throws SvcError `file-not-found`, `file-is-folder`, `file-unreadable`, `file-refused`, `document-invalid`
 */
export async function readFileText(name: string, cwd: string, root?: string): Promise<SourceText> {
  return { name, text: await readLocal(name, resolve(cwd, name)), ...localSource(name, cwd, root) }
}

/**
 * Reads standard input; its references are those of a file in the current folder, or of `base`: a file or folder, or an address.
 * @throws SvcError `document-invalid` where it is not text in UTF-8
 */
export async function readStandardInput(
  { io, cwd, ...reading }: Pick<Invocation, 'io' | 'cwd'> & Fetching,
  base?: string,
): Promise<SourceText> {
  if (io.isInteractive) io.log.info('Reading the document from standard input; end it with Ctrl-D.')
  const text = textOf(await io.stdin(), 'standard input')
  if (base !== undefined && /^https?:\/\//i.test(base))
    return { name: '-', text, place: base, files: (await addresses(reading, base)).files }
  return {
    name: '-',
    text,
    ...localSource(base === undefined ? '-' : besideBase(base, cwd), cwd, reading.globals.root),
  }
}

// A folder holds the document, a file is beside it.
const besideBase = (base: string, cwd: string): string =>
  statSync(resolve(cwd, base), { throwIfNoEntry: false })?.isDirectory() === true ? join(base, '-') : base

type Fetching = Pick<Invocation, 'env' | 'signal' | 'globals'>

// Addresses are read through the egress guard, which lets the command line reach loopback.
async function addresses(
  { env, signal, globals }: Fetching,
  from: string | null,
): Promise<{ readonly read: (place: string) => Promise<string>; readonly files: Files }> {
  const { importFetch } = await import('../../server/egress/fetch.ts')
  const { parseNetworks } = await import('../../server/egress/address.ts')
  const fetch = importFetch(
    parseNetworks(['127.0.0.0/8', '::1/128', env.SVC_EGRESS_ALLOW ?? ''].filter((it) => it !== '').join(',')),
    globals.given.includes('timeout') ? globals.timeoutMs : undefined,
  )
  const read = async (place: string): Promise<string> => {
    assertAllowed(place, from, globals)
    // A user who names an address trusts where it leads; an address in a file leads to no host that is not allowed.
    const permits = isNamed(place, globals) ? undefined : (next: string) => assertAllowed(next, place, globals)
    return textOf((await fetch(place, signal, permits)).bytes, place)
  }
  const files = {
    holds: (place: string) => /^https?:/i.test(place),
    read: (places: readonly string[]) => readEach(places, read),
    nameOf: (place: string) => place,
  }
  return { read, files }
}

/**
 * Reads an address through the egress guard, which lets the command line reach loopback, within --timeout.
 * @param from the address whose content names it; null: a file or the command line does
 * @throws SvcError `offline`, `host-not-allowed`, `egress-denied`, `fetch-failed`
 */
export async function readUrl(url: string, reading: Fetching, from: string | null = null): Promise<SourceText> {
  const { read } = await addresses(reading, from)
  const { files } = await addresses(reading, url)
  return { name: url, text: await read(url), place: url, files }
}
