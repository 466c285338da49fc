import type { SettingValues } from '../settings/door.ts'
import type { EmbeddingSettings } from './provider.ts'

/** The provider of a configuration; null where its address or its key is missing. */
export function embeddingsOf(values: SettingValues): EmbeddingSettings | null {
  const { 'embeddings.url': url, 'embeddings.key': key, 'embeddings.model': model } = values
  if (!url || !key) return null
  return {
    url,
    model,
    // Read when it is used: it may be in a file that is replaced.
    get key() {
      return values['embeddings.key'] ?? key
    },
  }
}
