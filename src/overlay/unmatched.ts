/** What is said of actions that selected nothing: that is no error, and mostly a mistake. */
import type { AppliedAction } from './apply.ts'
import type { Overlay } from './read.ts'

/** "overlay.yaml:4:11: action 1 matches nothing: $.paths", for each of these actions. */
export function unmatchedMessages(actions: readonly AppliedAction[], overlays: readonly Overlay[]): readonly string[] {
  return actions
    .filter(({ matches, kind }) => matches === 0 && kind !== 'none')
    .map(({ overlay, index, target }) => {
      const document = overlays.find((it) => it.document.source === overlay)?.document
      const { line, character } = document?.locate(['actions', index, 'target']).start ?? { line: 0, character: 0 }
      return `${overlay}:${line + 1}:${character + 1}: action ${index + 1} matches nothing: ${target}`
    })
}
