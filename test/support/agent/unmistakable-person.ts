/** A person of the embedded cloud whose every word occurs nowhere else, so that what is found anywhere is of them. */
import { sampleData } from '../../../src/simulator/sample/sample-data.ts';

export const unmistakable = {
  'user name': 'quetzalcoatl',
  'full name': 'Quilla Etzel-Coatl',
  'e-mail': 'quilla@etzel.example',
  'card number': '04FEEDC0DE',
  title: 'Zwischenzeugnis-Entwurf',
  password: 'Xylofon-Geheim47',
};

/** They stand in alice's place, with two documents. */
export const unmistakableSeed = {
  ...sampleData,
  users: sampleData.users.map((user) => ({
    ...user,
    ...(user.userName === 'alice' && {
      userName: unmistakable['user name'],
      fullName: unmistakable['full name'],
      email: unmistakable['e-mail'],
      cards: [unmistakable['card number']],
      password: unmistakable.password,
    }),
  })),
  documents: [1, 2].map((n) => ({
    owner: unmistakable['user name'],
    name: `${unmistakable.title} ${n}.pdf`,
    pages: 1,
  })),
};
