/** The JSON Schema of the configuration, generated from the one schema; `config/platen.schema.json` is its text. */
import { z } from 'zod';
import { outsideOf } from './outside.ts';
import { configSchema } from './schema/config.ts';

export function configJsonSchema(): string {
  const schema = z.toJSONSchema(configSchema(outsideOf('.', {})), { io: 'input' });
  return `${JSON.stringify({ title: 'Platen configuration', ...schema }, undefined, 2)}\n`;
}
