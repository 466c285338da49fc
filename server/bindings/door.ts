/** What other rooms use of bindings. */
export { checkBindings } from './poll.ts'
export { activeBindingsOf, type BindingRow } from './record.ts'
export { releaseRow } from './release.ts'
export { readSelection, type Selection } from './selection.ts'
