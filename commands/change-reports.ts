/** What the commands about change reports share. */
export const reportArguments = [
  { name: 'project', required: true, summary: 'id or slug' },
  { name: 'version', required: true, summary: 'id, label or slug' },
] as const

export const reportParams = (tenant: string, args: { readonly project: string; readonly version: string }) => ({
  tenant_slug: tenant,
  project_id: args.project,
  version_record_id: args.version,
})

/** The three parts of a report as one text. */
export const joinReport = (...parts: readonly (string | null)[]): string =>
  `${parts
    .map((it) => it?.trimEnd() ?? '')
    .filter(Boolean)
    .join('\n\n')}\n`
