/** What the commands about migration rules share. */
export const pairArguments = [
  { name: 'project', required: true, summary: 'id or slug' },
  { name: 'from', required: true, summary: 'the older version: id, label or slug' },
  { name: 'to', required: true, summary: 'the newer version: id, label or slug' },
] as const

export const pairOf = (args: { readonly project: string; readonly from: string; readonly to: string }) => ({
  projectId: args.project,
  fromVersionId: args.from,
  toVersionId: args.to,
})
