const reads = /^(?:get|list|read|search|find|fetch|show|describe|query|view|count|lookup|check)(?:[_.-]|(?=[A-Z])|$)/
const changes =
  /^(?:delete|remove|drop|destroy|purge|create|add|insert|update|edit|write|set|put|send|post|move|rename|cancel|execute)(?:[_.-]|(?=[A-Z])|$)/
const destroys = /^(?:delete|remove|drop|destroy|purge|wipe)(?:[_.-]|(?=[A-Z])|$)/

/** What the verb in the name of a tool says. */
export interface Verb {
  readonly reads: boolean
  readonly changes: boolean
  readonly destroys: boolean
}

/** The verb of a name: "github_delete_file" begins with the name of the server. */
export function verbOf(name: string): Verb {
  const parts = name.split(/[_.-]/)
  const verb =
    [0, 1]
      .map((at) => parts.slice(at).join('_'))
      .find((it) => reads.test(it) || changes.test(it) || destroys.test(it)) ?? name
  return { reads: reads.test(verb), changes: changes.test(verb), destroys: destroys.test(verb) }
}
