import type { Alias, Aliases } from './rule.ts'

const isList = (alias: Alias): alias is readonly string[] => alias.every((it) => typeof it === 'string')

const pathsOf = (alias: Alias, formats: ReadonlySet<string>): readonly string[] =>
  isList(alias) ? alias : (alias.findLast((it) => it.formats.some((name) => formats.has(name)))?.given ?? [])

/**
 * Replaces the `#Alias` at the beginning of a path by its definition, as far as it applies to the document's formats.
 * @returns null where an alias is unknown, malformed or defined by itself
 */
export function expandAlias(
  path: string,
  aliases: Aliases,
  formats: ReadonlySet<string>,
  within: readonly string[] = [],
): string[] | null {
  if (!path.startsWith('#')) return [path]
  const name = /^#([\w-]+)/.exec(path)?.[1]
  if (name === undefined || within.includes(name)) return null
  const alias = Object.hasOwn(aliases, name) ? aliases[name] : undefined
  if (alias === undefined) return null
  const out: string[] = []
  for (const given of pathsOf(alias, formats)) {
    const inner = expandAlias(given + path.slice(name.length + 1), aliases, formats, [...within, name])
    if (inner === null) return null
    out.push(...inner)
  }
  return out
}
