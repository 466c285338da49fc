/**
 * The name of the person or key that did something, for a sentence such as "published by Ada".
 * @param actor "user:<id>", "api-key:<id>" …; null where it is not known.
 * @param names Names of the members by id, once they are read.
 */
export const actorName = (actor: string | null, names: ReadonlyMap<string, string> | undefined): string => {
  if (actor === null) return 'an unknown user'
  const [kind = '', id = ''] = actor.split(':')
  if (kind === 'user') return names?.get(id) ?? 'a former member'
  return kind === 'api-key' ? 'an API key' : `an ${kind.replace('-', ' ')}`
}
