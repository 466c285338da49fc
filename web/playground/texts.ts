/** Texts that the page never shows stay out of it: what only the service and the commands refuse, and what explains a rule at length. */
import { readFile } from 'node:fs/promises'
import type { Code } from '../../src/errors.ts'
import type { Entry } from '../../src/errors/entry.ts'

/** The codes of the error catalogue that an engine of the page raises. */
export const raisedCodes: readonly Code[] = ['document-invalid', 'usage']

const textOf = ({ status, message, hint, browserHint = hint }: Entry): object => ({
  status,
  message,
  hint: browserHint,
})

/** Leaves these codes in the areas of the catalogue. */
const raisedErrors = async (path: string): Promise<string> => {
  const areas = (await import(path)) as Record<string, Record<string, Entry>>
  const declarations = Object.entries(areas).map(([name, entries]) => {
    const kept = Object.entries(entries).flatMap(([code, entry]) =>
      raisedCodes.some((it) => it === code) ? [[code, textOf(entry)]] : [],
    )
    return `export const ${name} = ${JSON.stringify(Object.fromEntries(kept))}\n`
  })
  return declarations.join('')
}

/**
 * Properties that are for the pages of rules and for `svc explain`, by the sources that have them: the formatter decides how each begins and ends.
 */
export const leftOut: readonly (readonly [sources: RegExp, property: RegExp])[] = [
  [/[\\/]src[\\/]lint[\\/]rules[\\/][\w-]+\.ts$/, /^ {2}help: \{$[\s\S]*?^ {2}\},$/gm],
  [
    /[\\/]src[\\/]diff[\\/][\w-]+[\\/]rules(?:[\\/][\w-]+)?\.ts$/,
    /^ {4}(?:explain:\s+(?:'[^'\n]*'|`[^`]*`)|aliases: \[[^\]]*\]),$/gm,
  ],
]

export const shownTexts: Bun.BunPlugin = {
  name: 'shown-texts',
  setup(build) {
    build.onLoad({ filter: /[\\/]src[\\/]errors[\\/][a-z-]+\.ts$/ }, async ({ path }) => {
      // These are no areas of the catalogue.
      if (/(?:entry|api-hints|exit-codes)\.ts$/.test(path)) return undefined
      return { contents: await raisedErrors(path), loader: 'js' }
    })
    for (const [filter, property] of leftOut)
      build.onLoad({ filter }, async ({ path }) => ({
        contents: (await readFile(path, 'utf8')).replaceAll(property, ''),
        loader: 'ts',
      }))
  },
}
