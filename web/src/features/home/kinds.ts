import type { AttentionKind } from '../../../../src/api/home.ts'

/** Kinds of attention that have no page of their own: their lists are views of this page. */
export const listedKinds = ['blocked', 'breaking', 'grades', 'sunsets'] as const satisfies readonly AttentionKind[]
export type ListedKind = (typeof listedKinds)[number]
