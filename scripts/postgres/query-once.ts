import { Client } from 'pg';

/** Runs one statement on a new connection, and returns the rows. */
export async function queryOnce<Row extends object>(url: string, statement: string): Promise<readonly Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end();
  }
}
